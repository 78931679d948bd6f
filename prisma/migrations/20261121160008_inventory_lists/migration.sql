-- DropIndex
DROP INDEX "inventory_resources_account_id_cost_last_30_days_idx";

-- AlterTable
ALTER TABLE "inventory_resources" ADD COLUMN     "listed_at" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "inventory_resources_account_id_cost_last_30_days_id_idx" ON "inventory_resources"("account_id", "cost_last_30_days", "id");

-- CreateIndex
CREATE INDEX "inventory_resources_account_id_name_id_idx" ON "inventory_resources"("account_id", "name", "id");

-- CreateIndex
CREATE INDEX "inventory_resources_account_id_first_seen_at_id_idx" ON "inventory_resources"("account_id", "first_seen_at", "id");

-- CreateIndex
CREATE INDEX "inventory_resources_account_id_last_seen_at_id_idx" ON "inventory_resources"("account_id", "last_seen_at", "id");

-- CreateIndex
CREATE INDEX "inventory_resources_account_id_resource_type_id_idx" ON "inventory_resources"("account_id", "resource_type", "id");

-- CreateIndex
CREATE INDEX "inventory_resources_account_id_service_id_idx" ON "inventory_resources"("account_id", "service", "id");

-- CreateIndex
CREATE INDEX "inventory_resources_account_id_region_id_idx" ON "inventory_resources"("account_id", "region", "id");
