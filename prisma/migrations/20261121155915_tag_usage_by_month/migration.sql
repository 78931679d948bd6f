-- DropIndex
DROP INDEX "tag_violations_account_id_cost_idx";

-- AlterTable
ALTER TABLE "tag_key_usage" DROP CONSTRAINT "tag_key_usage_pkey",
DROP COLUMN "cost",
DROP COLUMN "currency",
DROP COLUMN "taggable_cost",
ADD COLUMN     "value_ids" BIGINT[],
ADD CONSTRAINT "tag_key_usage_pkey" PRIMARY KEY ("account_id", "folded_key", "provider");

-- AlterTable
ALTER TABLE "tag_violations" ADD COLUMN     "provider" TEXT NOT NULL,
ADD COLUMN     "resource_type" TEXT NOT NULL;

-- CreateTable
CREATE TABLE "tag_key_costs" (
    "account_id" UUID NOT NULL,
    "folded_key" TEXT NOT NULL,
    "organization_id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "month" DATE NOT NULL,
    "cost" DECIMAL NOT NULL,
    "taggable_cost" DECIMAL NOT NULL,

    CONSTRAINT "tag_key_costs_pkey" PRIMARY KEY ("account_id","folded_key","provider","currency","month")
);

-- CreateTable
CREATE TABLE "taggable_costs" (
    "account_id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "month" DATE NOT NULL,
    "cost" DECIMAL NOT NULL,

    CONSTRAINT "taggable_costs_pkey" PRIMARY KEY ("account_id","provider","currency","month")
);

-- CreateTable
CREATE TABLE "tag_violation_counts" (
    "account_id" UUID NOT NULL,
    "policy_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "problem" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "resource_type" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "organization_id" UUID NOT NULL,
    "violations" INTEGER NOT NULL,

    CONSTRAINT "tag_violation_counts_pkey" PRIMARY KEY ("account_id","policy_id","key","problem","provider","resource_type","currency")
);

-- CreateIndex
CREATE INDEX "tag_violations_organization_id_cost_resource_id_key_policy__idx" ON "tag_violations"("organization_id", "cost" DESC, "resource_id", "key", "policy_id", "account_id");

-- AddForeignKey
ALTER TABLE "tag_policies" ADD CONSTRAINT "tag_policies_organization_id_account_id_fkey" FOREIGN KEY ("organization_id", "account_id") REFERENCES "accounts"("organization_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
