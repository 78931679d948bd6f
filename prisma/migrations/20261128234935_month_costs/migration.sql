-- AlterTable
ALTER TABLE "inventory_resources" ADD COLUMN     "month_costs" JSONB NOT NULL DEFAULT '{}';

-- AlterTable
ALTER TABLE "tag_violations" ADD COLUMN     "month_costs" JSONB NOT NULL DEFAULT '{}';
