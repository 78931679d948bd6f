-- CreateEnum
CREATE TYPE "channel_kind" AS ENUM ('slack', 'teams', 'webhook');

-- AlterTable
ALTER TABLE "alert_rules" ADD COLUMN     "channel_ids" UUID[] DEFAULT ARRAY[]::UUID[];

-- AlterTable
ALTER TABLE "budgets" ADD COLUMN     "channel_ids" UUID[] DEFAULT ARRAY[]::UUID[];

-- AlterTable
ALTER TABLE "deliveries" ADD COLUMN     "channel_id" UUID;

-- AlterTable
ALTER TABLE "report_schedules" ADD COLUMN     "channel_ids" UUID[] DEFAULT ARRAY[]::UUID[];

-- CreateTable
CREATE TABLE "channels" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "name_key" TEXT NOT NULL,
    "kind" "channel_kind" NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "anomaly_alerts" BOOLEAN NOT NULL DEFAULT false,
    "url" BYTEA NOT NULL,
    "secret" BYTEA,
    "last_status" "delivery_status",
    "last_attempt_at" TIMESTAMPTZ(3),
    "last_error" TEXT,
    "paused_until" TIMESTAMPTZ(3),
    "created_by_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "channels_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "channels_organization_id_name_key_key" ON "channels"("organization_id", "name_key");

-- CreateIndex
CREATE INDEX "deliveries_organization_id_created_at_id_idx" ON "deliveries"("organization_id", "created_at", "id");

-- AddForeignKey
ALTER TABLE "channels" ADD CONSTRAINT "channels_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE NO ACTION;
