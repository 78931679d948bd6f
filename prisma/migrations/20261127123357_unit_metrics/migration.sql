-- CreateEnum
CREATE TYPE "metric_direction" AS ENUM ('lower_is_better', 'higher_is_better');

-- CreateTable
CREATE TABLE "unit_metrics" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "unit" TEXT NOT NULL,
    "direction" "metric_direction" NOT NULL DEFAULT 'lower_is_better',
    "values_version" INTEGER NOT NULL DEFAULT 0,
    "created_by_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "unit_metrics_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "unit_metric_values" (
    "organization_id" UUID NOT NULL,
    "metric_id" UUID NOT NULL,
    "date" DATE NOT NULL,
    "labels_digest" BYTEA NOT NULL,
    "labels" JSONB NOT NULL,
    "value" DECIMAL(24,6) NOT NULL,

    CONSTRAINT "unit_metric_values_pkey" PRIMARY KEY ("organization_id","metric_id","date","labels_digest")
);

-- CreateIndex
CREATE UNIQUE INDEX "unit_metrics_organization_id_key_key" ON "unit_metrics"("organization_id", "key");

-- CreateIndex
CREATE UNIQUE INDEX "unit_metrics_organization_id_id_key" ON "unit_metrics"("organization_id", "id");

-- AddForeignKey
ALTER TABLE "unit_metrics" ADD CONSTRAINT "unit_metrics_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "unit_metric_values" ADD CONSTRAINT "unit_metric_values_organization_id_metric_id_fkey" FOREIGN KEY ("organization_id", "metric_id") REFERENCES "unit_metrics"("organization_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
