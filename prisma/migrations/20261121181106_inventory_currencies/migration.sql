-- DropIndex
DROP INDEX "inventory_resources_account_id_cost_last_30_days_id_idx";

-- DropIndex
DROP INDEX "tag_violations_organization_id_cost_resource_id_key_policy__idx";

-- AlterTable
DELETE FROM "inventory_counts";
ALTER TABLE "inventory_counts" DROP CONSTRAINT "inventory_counts_pkey",
ADD COLUMN     "currency" TEXT NOT NULL,
ADD CONSTRAINT "inventory_counts_pkey" PRIMARY KEY ("account_id", "provider", "resource_type", "service", "region", "currency", "is_gone");
INSERT INTO "inventory_counts" ("account_id", "organization_id", "provider", "resource_type", "service", "region", "currency", "is_gone", "resources")
SELECT "account_id", "organization_id", "provider", "resource_type", "service", "region", "currency", "gone_at" IS NOT NULL, count(*)
FROM "inventory_resources" GROUP BY 1, 2, 3, 4, 5, 6, 7, 8;

-- CreateIndex
CREATE INDEX "inventory_resources_account_id_currency_cost_last_30_days_i_idx" ON "inventory_resources"("account_id", "currency", "cost_last_30_days", "id");

-- CreateIndex
CREATE INDEX "tag_violations_account_id_currency_cost_resource_id_key_pol_idx" ON "tag_violations"("account_id", "currency", "cost" DESC, "resource_id", "key", "policy_id");
