-- CreateEnum
CREATE TYPE "recommendation_status" AS ENUM ('open', 'in_progress', 'applied', 'archived');

-- CreateTable
CREATE TABLE "inventory_listings" (
    "account_id" UUID NOT NULL,
    "resource_id" BIGINT NOT NULL,
    "organization_id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "native_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "resource_type" TEXT NOT NULL,
    "service" TEXT NOT NULL,
    "region" TEXT NOT NULL,
    "tags" JSONB NOT NULL,
    "metadata" JSONB NOT NULL,
    "listed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "inventory_listings_pkey" PRIMARY KEY ("account_id","resource_id")
);

-- CreateTable
CREATE TABLE "inventory_resources" (
    "account_id" UUID NOT NULL,
    "resource_id" BIGINT NOT NULL,
    "organization_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "native_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "resource_type" TEXT NOT NULL,
    "service" TEXT NOT NULL,
    "region" TEXT NOT NULL,
    "sub_account" TEXT NOT NULL,
    "tags" JSONB NOT NULL,
    "tag_terms" TEXT[],
    "metadata" JSONB NOT NULL,
    "currency" TEXT NOT NULL,
    "cost_last_30_days" DECIMAL NOT NULL,
    "first_seen_at" DATE NOT NULL,
    "last_seen_at" DATE NOT NULL,
    "gone_at" TIMESTAMPTZ(3),

    CONSTRAINT "inventory_resources_pkey" PRIMARY KEY ("account_id","resource_id")
);

-- CreateTable
CREATE TABLE "inventory_counts" (
    "account_id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "resource_type" TEXT NOT NULL,
    "service" TEXT NOT NULL,
    "region" TEXT NOT NULL,
    "is_gone" BOOLEAN NOT NULL,
    "resources" INTEGER NOT NULL,

    CONSTRAINT "inventory_counts_pkey" PRIMARY KEY ("account_id","provider","resource_type","service","region","is_gone")
);

-- CreateTable
CREATE TABLE "tag_key_usage" (
    "account_id" UUID NOT NULL,
    "folded_key" TEXT NOT NULL,
    "organization_id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "value_count" INTEGER NOT NULL,
    "resource_count" INTEGER NOT NULL,
    "currency" TEXT NOT NULL,
    "cost" DECIMAL NOT NULL,
    "taggable_cost" DECIMAL NOT NULL,

    CONSTRAINT "tag_key_usage_pkey" PRIMARY KEY ("account_id","folded_key","provider","currency")
);

-- CreateTable
CREATE TABLE "tag_policies" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "rules" JSONB NOT NULL,
    "provider" TEXT,
    "account_id" UUID,
    "resource_types" TEXT[],
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "created_by_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "tag_policies_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tag_violations" (
    "account_id" UUID NOT NULL,
    "policy_id" UUID NOT NULL,
    "resource_id" BIGINT NOT NULL,
    "key" TEXT NOT NULL,
    "organization_id" UUID NOT NULL,
    "problem" TEXT NOT NULL,
    "value" TEXT,
    "currency" TEXT NOT NULL,
    "cost" DECIMAL NOT NULL,

    CONSTRAINT "tag_violations_pkey" PRIMARY KEY ("account_id","policy_id","resource_id","key")
);

-- CreateTable
CREATE TABLE "recommendations" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "status" "recommendation_status" NOT NULL DEFAULT 'open',
    "snoozed_until" TIMESTAMPTZ(3),
    "resource_id" BIGINT,
    "native_id" TEXT,
    "resource_name" TEXT,
    "currency" TEXT NOT NULL,
    "estimated_monthly_savings" DECIMAL NOT NULL,
    "confidence" TEXT NOT NULL,
    "evidence" JSONB NOT NULL,
    "scripts" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "status_changed_at" TIMESTAMPTZ(3),
    "status_changed_by_id" UUID,
    "status_reason" TEXT,
    "realized_monthly_savings" DECIMAL,
    "baseline_daily_cost" DECIMAL,

    CONSTRAINT "recommendations_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "inventory_resources_account_id_id_idx" ON "inventory_resources"("account_id", "id");

-- CreateIndex
CREATE INDEX "inventory_resources_account_id_cost_last_30_days_idx" ON "inventory_resources"("account_id", "cost_last_30_days");

-- CreateIndex
CREATE INDEX "inventory_resources_tag_terms_idx" ON "inventory_resources" USING GIN ("tag_terms");

-- CreateIndex
CREATE INDEX "tag_policies_organization_id_idx" ON "tag_policies"("organization_id");

-- CreateIndex
CREATE INDEX "tag_violations_account_id_cost_idx" ON "tag_violations"("account_id", "cost");

-- CreateIndex
CREATE INDEX "recommendations_organization_id_account_id_status_idx" ON "recommendations"("organization_id", "account_id", "status");

-- CreateIndex
CREATE UNIQUE INDEX "recommendations_organization_id_account_id_fingerprint_key" ON "recommendations"("organization_id", "account_id", "fingerprint");

-- AddForeignKey
ALTER TABLE "tag_policies" ADD CONSTRAINT "tag_policies_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "recommendations" ADD CONSTRAINT "recommendations_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE NO ACTION;
