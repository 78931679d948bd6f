-- CreateEnum
CREATE TYPE "anomaly_status" AS ENUM ('open', 'acknowledged', 'resolved');

-- CreateEnum
CREATE TYPE "alert_metric" AS ENUM ('daily_cost', 'month_to_date_cost', 'forecasted_month_cost', 'day_over_day_percent', 'week_over_week_percent');

-- CreateEnum
CREATE TYPE "alert_operator" AS ENUM ('gt', 'gte', 'lt', 'lte');

-- CreateEnum
CREATE TYPE "delivery_status" AS ENUM ('pending', 'sent', 'failed');

-- CreateEnum
CREATE TYPE "report_status" AS ENUM ('pending', 'ready', 'failed');

-- CreateTable
CREATE TABLE "anomalies" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "service" TEXT NOT NULL,
    "region" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "start_date" DATE NOT NULL,
    "end_date" DATE NOT NULL,
    "status" "anomaly_status" NOT NULL DEFAULT 'open',
    "severity" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "expected_cost" DECIMAL NOT NULL,
    "actual_cost" DECIMAL NOT NULL,
    "series" JSONB NOT NULL,
    "explanation" JSONB,
    "detected_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "status_changed_at" TIMESTAMPTZ(3),
    "status_changed_by_id" UUID,
    "status_reason" TEXT,

    CONSTRAINT "anomalies_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "alert_rules" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "metric" "alert_metric" NOT NULL,
    "operator" "alert_operator" NOT NULL,
    "threshold" DECIMAL NOT NULL,
    "account_id" UUID,
    "provider" TEXT,
    "service" TEXT,
    "tag_key" TEXT,
    "tag_value" TEXT,
    "emails" TEXT[],
    "slack" BOOLEAN NOT NULL DEFAULT false,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "last_triggered_at" TIMESTAMPTZ(3),
    "created_by_id" UUID NOT NULL,
    "inherited_scope" UUID[],
    "is_inherited" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "alert_rules_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "alert_firings" (
    "rule_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "figure" DECIMAL NOT NULL,
    "threshold" DECIMAL NOT NULL,
    "fired_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "alert_firings_pkey" PRIMARY KEY ("rule_id","day")
);

-- CreateTable
CREATE TABLE "budgets" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "amount" DECIMAL NOT NULL,
    "currency" TEXT NOT NULL,
    "period" TEXT NOT NULL DEFAULT 'monthly',
    "account_id" UUID,
    "provider" TEXT,
    "service" TEXT,
    "alert_thresholds" DECIMAL[],
    "emails" TEXT[],
    "slack" BOOLEAN NOT NULL DEFAULT false,
    "cost_metric" TEXT NOT NULL DEFAULT 'effective',
    "created_by_id" UUID NOT NULL,
    "inherited_scope" UUID[],
    "is_inherited" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "budgets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "budget_alerts" (
    "budget_id" UUID NOT NULL,
    "month" DATE NOT NULL,
    "threshold" DECIMAL NOT NULL,
    "spend" DECIMAL NOT NULL,
    "triggered_at" TIMESTAMPTZ(3) NOT NULL,
    "is_silent" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "budget_alerts_pkey" PRIMARY KEY ("budget_id","month","threshold")
);

-- CreateTable
CREATE TABLE "notification_preferences" (
    "organization_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "email" JSONB NOT NULL,
    "slack" JSONB NOT NULL,
    "additional_emails" TEXT[],
    "webhook" BYTEA,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "notification_preferences_pkey" PRIMARY KEY ("organization_id","user_id")
);

-- CreateTable
CREATE TABLE "deliveries" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "channel" TEXT NOT NULL,
    "recipient" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "subject_key" TEXT NOT NULL,
    "content" JSONB NOT NULL,
    "status" "delivery_status" NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "last_error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "sent_at" TIMESTAMPTZ(3),

    CONSTRAINT "deliveries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "reports" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "format" TEXT NOT NULL,
    "start_date" DATE NOT NULL,
    "end_date" DATE NOT NULL,
    "filters" JSONB NOT NULL,
    "account_ids" UUID[],
    "is_restricted" BOOLEAN NOT NULL,
    "status" "report_status" NOT NULL DEFAULT 'pending',
    "failure" TEXT,
    "size_bytes" BIGINT,
    "sha256" TEXT,
    "schedule_id" UUID,
    "created_by_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "reports_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "report_chunks" (
    "report_id" UUID NOT NULL,
    "part" INTEGER NOT NULL,
    "bytes" BYTEA NOT NULL,

    CONSTRAINT "report_chunks_pkey" PRIMARY KEY ("report_id","part")
);

-- CreateTable
CREATE TABLE "report_schedules" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "format" TEXT NOT NULL,
    "filters" JSONB NOT NULL,
    "frequency" TEXT NOT NULL,
    "day" INTEGER,
    "hour" INTEGER NOT NULL,
    "time_zone" TEXT NOT NULL,
    "recipients" TEXT[],
    "slack" BOOLEAN NOT NULL DEFAULT false,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "next_run_at" TIMESTAMPTZ(3),
    "last_run_at" TIMESTAMPTZ(3),
    "last_status" "report_status",
    "created_by_id" UUID NOT NULL,
    "inherited_scope" UUID[],
    "is_inherited" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "report_schedules_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "anomalies_organization_id_detected_at_id_account_id_status__idx" ON "anomalies"("organization_id", "detected_at", "id", "account_id", "status", "severity");

-- CreateIndex
CREATE UNIQUE INDEX "anomalies_organization_id_account_id_provider_service_regio_key" ON "anomalies"("organization_id", "account_id", "provider", "service", "region", "currency", "start_date");

-- CreateIndex
CREATE INDEX "alert_rules_organization_id_idx" ON "alert_rules"("organization_id");

-- CreateIndex
CREATE INDEX "budgets_organization_id_idx" ON "budgets"("organization_id");

-- CreateIndex
CREATE INDEX "deliveries_status_created_at_idx" ON "deliveries"("status", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "deliveries_organization_id_channel_recipient_subject_key_key" ON "deliveries"("organization_id", "channel", "recipient", "subject_key");

-- CreateIndex
CREATE INDEX "reports_organization_id_created_at_id_idx" ON "reports"("organization_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "reports_expires_at_idx" ON "reports"("expires_at");

-- CreateIndex
CREATE INDEX "report_schedules_organization_id_idx" ON "report_schedules"("organization_id");

-- CreateIndex
CREATE INDEX "report_schedules_enabled_next_run_at_idx" ON "report_schedules"("enabled", "next_run_at");

-- AddForeignKey
ALTER TABLE "anomalies" ADD CONSTRAINT "anomalies_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "alert_rules" ADD CONSTRAINT "alert_rules_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "alert_rules" ADD CONSTRAINT "alert_rules_organization_id_account_id_fkey" FOREIGN KEY ("organization_id", "account_id") REFERENCES "accounts"("organization_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "alert_firings" ADD CONSTRAINT "alert_firings_rule_id_fkey" FOREIGN KEY ("rule_id") REFERENCES "alert_rules"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "budgets" ADD CONSTRAINT "budgets_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "budgets" ADD CONSTRAINT "budgets_organization_id_account_id_fkey" FOREIGN KEY ("organization_id", "account_id") REFERENCES "accounts"("organization_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "budget_alerts" ADD CONSTRAINT "budget_alerts_budget_id_fkey" FOREIGN KEY ("budget_id") REFERENCES "budgets"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "notification_preferences" ADD CONSTRAINT "notification_preferences_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "notification_preferences" ADD CONSTRAINT "notification_preferences_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "reports" ADD CONSTRAINT "reports_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "report_chunks" ADD CONSTRAINT "report_chunks_report_id_fkey" FOREIGN KEY ("report_id") REFERENCES "reports"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "report_schedules" ADD CONSTRAINT "report_schedules_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE NO ACTION;
