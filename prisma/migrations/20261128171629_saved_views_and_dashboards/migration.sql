-- Saved views of console pages, and dashboards of them.
-- CreateEnum
CREATE TYPE "view_page" AS ENUM ('costs', 'unit_costs', 'invoices', 'forecast', 'anomalies', 'recommendations', 'budgets', 'coverage', 'planner', 'inventory', 'tags', 'tag_violations', 'alert_rules', 'reports', 'report_schedules', 'accounts');

-- CreateEnum
CREATE TYPE "visibility" AS ENUM ('private', 'organization');

-- CreateTable
CREATE TABLE "saved_views" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "page" "view_page" NOT NULL,
    "query" JSONB NOT NULL,
    "account_ids" TEXT[],
    "visibility" "visibility" NOT NULL,
    "created_by_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "saved_views_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "dashboards" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "visibility" "visibility" NOT NULL,
    "widgets" JSONB NOT NULL,
    "created_by_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "dashboards_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "saved_views_organization_id_idx" ON "saved_views"("organization_id");

-- CreateIndex
CREATE INDEX "dashboards_organization_id_idx" ON "dashboards"("organization_id");

-- AddForeignKey
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "dashboards" ADD CONSTRAINT "dashboards_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- Names ignore case; without a collation of ICU, a new version of which could harm the indexes. Shared ones are unique in their organization, private ones for their owner.
CREATE UNIQUE INDEX "saved_views_shared_name_key" ON "saved_views"("organization_id", lower("name") COLLATE "C") WHERE "visibility" = 'organization';
CREATE UNIQUE INDEX "saved_views_private_name_key" ON "saved_views"("organization_id", "created_by_id", lower("name") COLLATE "C") WHERE "visibility" = 'private';
CREATE UNIQUE INDEX "dashboards_shared_name_key" ON "dashboards"("organization_id", lower("name") COLLATE "C") WHERE "visibility" = 'organization';
CREATE UNIQUE INDEX "dashboards_private_name_key" ON "dashboards"("organization_id", "created_by_id", lower("name") COLLATE "C") WHERE "visibility" = 'private';

-- Lists by name ignore case where PostgreSQL has ICU.
DO $$
BEGIN
  IF EXISTS (SELECT 1 FROM pg_collation WHERE collname = 'und-x-icu') THEN
    ALTER TABLE "saved_views" ALTER COLUMN "name" TYPE TEXT COLLATE "und-x-icu";
    ALTER TABLE "dashboards" ALTER COLUMN "name" TYPE TEXT COLLATE "und-x-icu";
  END IF;
END $$;
