-- CreateEnum
CREATE TYPE "Role" AS ENUM ('super_admin', 'admin', 'member', 'viewer');

-- CreateEnum
CREATE TYPE "CloudProvider" AS ENUM ('aws', 'azure', 'gcp', 'focus');

-- CreateEnum
CREATE TYPE "AccountStatus" AS ENUM ('connected', 'disconnected');

-- CreateEnum
CREATE TYPE "SyncStatus" AS ENUM ('never', 'queued', 'running', 'succeeded', 'failed', 'cancelled');

-- CreateTable
CREATE TABLE "organizations" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "currency" TEXT NOT NULL DEFAULT 'USD',
    "require_two_factor" BOOLEAN NOT NULL DEFAULT false,
    "billing_email" TEXT,
    "billing_plan" TEXT NOT NULL DEFAULT 'self-hosted',
    "trust_external_id" TEXT NOT NULL,
    "rates_version" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "organizations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "users" (
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "password_hash" TEXT NOT NULL,
    "failed_logins" INTEGER NOT NULL DEFAULT 0,
    "locked_until" TIMESTAMPTZ(3),
    "last_login_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "memberships" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "role" "Role" NOT NULL,
    "restricted" BOOLEAN NOT NULL DEFAULT false,
    "account_access" UUID[] DEFAULT ARRAY[]::UUID[],
    "joined_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "memberships_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sessions" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "refresh_hash" BYTEA NOT NULL,
    "previous_hash" BYTEA,
    "rotated_at" TIMESTAMPTZ(3),
    "ip_address" TEXT NOT NULL,
    "user_agent" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit_entries" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "timestamp" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "actor_id" UUID,
    "actor_email" TEXT,
    "action" TEXT NOT NULL,
    "resource_type" TEXT NOT NULL,
    "resource_id" TEXT,
    "account_id" UUID,
    "ip_address" TEXT NOT NULL,
    "user_agent" TEXT NOT NULL,
    "details" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "audit_entries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "exchange_rates" (
    "organization_id" UUID NOT NULL,
    "month" DATE NOT NULL,
    "from_currency" TEXT NOT NULL,
    "to_currency" TEXT NOT NULL,
    "rate" DECIMAL(24,12) NOT NULL,

    CONSTRAINT "exchange_rates_pkey" PRIMARY KEY ("organization_id","month","from_currency","to_currency")
);

-- CreateTable
CREATE TABLE "accounts" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "provider" "CloudProvider" NOT NULL,
    "external_id" TEXT NOT NULL,
    "status" "AccountStatus" NOT NULL DEFAULT 'connected',
    "settings" JSONB NOT NULL DEFAULT '{}',
    "credentials" BYTEA,
    "credentials_updated_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 0,
    "data_from" DATE,
    "data_to" DATE,
    "complete_through" DATE,
    "currency" TEXT,
    "created_by" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "accounts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "account_syncs" (
    "account_id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "status" "SyncStatus" NOT NULL DEFAULT 'never',
    "phase" TEXT,
    "percent" INTEGER,
    "rows" BIGINT,
    "cancel_requested" BOOLEAN NOT NULL DEFAULT false,
    "queued_at" TIMESTAMPTZ(3),
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "last_synced_at" TIMESTAMPTZ(3),
    "last_error" TEXT,

    CONSTRAINT "account_syncs_pkey" PRIMARY KEY ("account_id")
);

-- CreateTable
CREATE TABLE "billing_periods" (
    "account_id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "period" DATE NOT NULL,
    "load_id" UUID NOT NULL,
    "source_token" TEXT NOT NULL,
    "content_digest" TEXT NOT NULL DEFAULT '',
    "snapshot_at" TIMESTAMPTZ(3),
    "line_items" BIGINT NOT NULL,
    "totals" JSONB NOT NULL,
    "data_from" DATE NOT NULL,
    "data_to" DATE NOT NULL,
    "loaded_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "billing_periods_pkey" PRIMARY KEY ("account_id","period")
);

-- CreateTable
CREATE TABLE "source_files" (
    "account_id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    "periods" DATE[],

    CONSTRAINT "source_files_pkey" PRIMARY KEY ("account_id","key")
);

-- CreateTable
CREATE TABLE "cost_facts" (
    "account_id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "billing_period" DATE NOT NULL,
    "charge_date" DATE NOT NULL,
    "provider" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "charge_category" SMALLINT NOT NULL,
    "charge_class" SMALLINT NOT NULL,
    "pricing_kind" SMALLINT NOT NULL,
    "service_id" BIGINT NOT NULL,
    "region_id" BIGINT NOT NULL,
    "sub_account_id" BIGINT NOT NULL,
    "resource_id" BIGINT NOT NULL,
    "sku_id" BIGINT NOT NULL,
    "commitment_id" BIGINT NOT NULL,
    "tag_set_id" BIGINT NOT NULL,
    "line_items" BIGINT NOT NULL,
    "billed" DECIMAL NOT NULL,
    "effective" DECIMAL NOT NULL,
    "list" DECIMAL NOT NULL,
    "contracted" DECIMAL NOT NULL,
    "pricing_quantity" DECIMAL,
    "consumed_quantity" DECIMAL
);

-- CreateTable
CREATE TABLE "cost_rollups" (
    "account_id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "billing_period" DATE NOT NULL,
    "rollup" SMALLINT NOT NULL,
    "grain" SMALLINT NOT NULL,
    "date" DATE NOT NULL,
    "provider" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "charge_category" SMALLINT NOT NULL,
    "pricing_kind" SMALLINT,
    "service_id" BIGINT,
    "region_id" BIGINT,
    "sub_account_id" BIGINT,
    "tag_set_id" BIGINT,
    "line_items" BIGINT NOT NULL,
    "billed" DECIMAL NOT NULL,
    "effective" DECIMAL NOT NULL,
    "list" DECIMAL NOT NULL,
    "contracted" DECIMAL NOT NULL
);

-- CreateTable
CREATE TABLE "services" (
    "account_id" UUID NOT NULL,
    "id" BIGINT NOT NULL,
    "organization_id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "category" TEXT NOT NULL,

    CONSTRAINT "services_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "regions" (
    "account_id" UUID NOT NULL,
    "id" BIGINT NOT NULL,
    "organization_id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "name" TEXT NOT NULL,

    CONSTRAINT "regions_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "sub_accounts" (
    "account_id" UUID NOT NULL,
    "id" BIGINT NOT NULL,
    "organization_id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "billing_account_id" TEXT NOT NULL,

    CONSTRAINT "sub_accounts_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "skus" (
    "account_id" UUID NOT NULL,
    "id" BIGINT NOT NULL,
    "organization_id" UUID NOT NULL,
    "sku_id" TEXT NOT NULL,
    "sku_price_id" TEXT NOT NULL,
    "meter" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "pricing_unit" TEXT NOT NULL,
    "consumed_unit" TEXT NOT NULL,

    CONSTRAINT "skus_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "commitments" (
    "account_id" UUID NOT NULL,
    "id" BIGINT NOT NULL,
    "organization_id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "category" TEXT NOT NULL,
    "type" TEXT NOT NULL,

    CONSTRAINT "commitments_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "resources" (
    "account_id" UUID NOT NULL,
    "id" BIGINT NOT NULL,
    "organization_id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "native_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "resource_type" TEXT NOT NULL,
    "first_seen" DATE NOT NULL,
    "last_seen" DATE NOT NULL,

    CONSTRAINT "resources_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "tag_sets" (
    "account_id" UUID NOT NULL,
    "id" BIGINT NOT NULL,
    "organization_id" UUID NOT NULL,
    "tags" JSONB NOT NULL,

    CONSTRAINT "tag_sets_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "tag_pairs" (
    "account_id" UUID NOT NULL,
    "tag_set_id" BIGINT NOT NULL,
    "key_id" BIGINT NOT NULL,
    "value_id" BIGINT NOT NULL,
    "organization_id" UUID NOT NULL,

    CONSTRAINT "tag_pairs_pkey" PRIMARY KEY ("account_id","tag_set_id","key_id")
);

-- CreateTable
CREATE TABLE "tag_keys" (
    "account_id" UUID NOT NULL,
    "period" DATE NOT NULL,
    "id" BIGINT NOT NULL,
    "organization_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "value_count" INTEGER NOT NULL,
    "rolled_up" BOOLEAN NOT NULL,

    CONSTRAINT "tag_keys_pkey" PRIMARY KEY ("account_id","period","id")
);

-- CreateTable
CREATE TABLE "tag_values" (
    "account_id" UUID NOT NULL,
    "id" BIGINT NOT NULL,
    "organization_id" UUID NOT NULL,
    "value" TEXT NOT NULL,

    CONSTRAINT "tag_values_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "worker_processes" (
    "worker_id" TEXT NOT NULL,
    "lock_key" BIGINT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "worker_processes_pkey" PRIMARY KEY ("worker_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "organizations_trust_external_id_key" ON "organizations"("trust_external_id");

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE INDEX "memberships_user_id_idx" ON "memberships"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "memberships_organization_id_user_id_key" ON "memberships"("organization_id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "sessions_refresh_hash_key" ON "sessions"("refresh_hash");

-- CreateIndex
CREATE UNIQUE INDEX "sessions_previous_hash_key" ON "sessions"("previous_hash");

-- CreateIndex
CREATE INDEX "sessions_organization_id_user_id_idx" ON "sessions"("organization_id", "user_id");

-- CreateIndex
CREATE INDEX "audit_entries_organization_id_timestamp_idx" ON "audit_entries"("organization_id", "timestamp");

-- CreateIndex
CREATE UNIQUE INDEX "accounts_organization_id_id_key" ON "accounts"("organization_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "accounts_organization_id_provider_external_id_key" ON "accounts"("organization_id", "provider", "external_id");

-- CreateIndex
CREATE UNIQUE INDEX "account_syncs_organization_id_account_id_key" ON "account_syncs"("organization_id", "account_id");

-- CreateIndex
CREATE INDEX "billing_periods_organization_id_idx" ON "billing_periods"("organization_id");

-- CreateIndex
CREATE INDEX "source_files_organization_id_idx" ON "source_files"("organization_id");

-- CreateIndex
CREATE INDEX "cost_facts_account_id_charge_date_idx" ON "cost_facts"("account_id", "charge_date");

-- CreateIndex
CREATE INDEX "cost_rollups_account_id_rollup_grain_date_idx" ON "cost_rollups"("account_id", "rollup", "grain", "date");

-- CreateIndex
CREATE INDEX "tag_pairs_account_id_key_id_value_id_idx" ON "tag_pairs"("account_id", "key_id", "value_id");

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_organization_id_user_id_fkey" FOREIGN KEY ("organization_id", "user_id") REFERENCES "memberships"("organization_id", "user_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "audit_entries" ADD CONSTRAINT "audit_entries_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "exchange_rates" ADD CONSTRAINT "exchange_rates_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "account_syncs" ADD CONSTRAINT "account_syncs_organization_id_account_id_fkey" FOREIGN KEY ("organization_id", "account_id") REFERENCES "accounts"("organization_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "billing_periods" ADD CONSTRAINT "billing_periods_organization_id_account_id_fkey" FOREIGN KEY ("organization_id", "account_id") REFERENCES "accounts"("organization_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "source_files" ADD CONSTRAINT "source_files_organization_id_account_id_fkey" FOREIGN KEY ("organization_id", "account_id") REFERENCES "accounts"("organization_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
