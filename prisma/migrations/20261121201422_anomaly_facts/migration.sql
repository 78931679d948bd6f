-- DropIndex
DROP INDEX "anomalies_organization_id_account_id_provider_service_regio_key";

-- AlterTable
ALTER TABLE "anomalies" DROP COLUMN "explanation",
ADD COLUMN     "facts" JSONB NOT NULL,
ADD COLUMN     "prose" JSONB;

-- CreateIndex
CREATE UNIQUE INDEX "anomalies_organization_id_account_id_provider_service_curre_key" ON "anomalies"("organization_id", "account_id", "provider", "service", "currency", "start_date");
