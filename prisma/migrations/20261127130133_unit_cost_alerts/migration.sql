-- AlterEnum
ALTER TYPE "alert_metric" ADD VALUE 'unit_cost';
ALTER TYPE "alert_metric" ADD VALUE 'unit_cost_change_percent';

-- AlterTable
ALTER TABLE "alert_rules" ADD COLUMN     "unit_metric_key" TEXT,
ADD COLUMN     "window_days" SMALLINT NOT NULL DEFAULT 7;

-- AddForeignKey
ALTER TABLE "alert_rules" ADD CONSTRAINT "alert_rules_organization_id_unit_metric_key_fkey" FOREIGN KEY ("organization_id", "unit_metric_key") REFERENCES "unit_metrics"("organization_id", "key") ON DELETE NO ACTION ON UPDATE CASCADE;
