-- CreateTable
CREATE TABLE "coverage_flagged_days" (
    "account_id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "billing_period" DATE NOT NULL,
    "date" DATE NOT NULL,
    "provider" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "pricing_kind" SMALLINT NOT NULL,
    "service_id" BIGINT NOT NULL,
    "region_id" BIGINT NOT NULL,
    "commitment_id" BIGINT NOT NULL,
    "program" TEXT NOT NULL,
    "pool" TEXT NOT NULL,
    "effective" DECIMAL NOT NULL,
    "equivalent" DECIMAL NOT NULL,
    "steady" DECIMAL NOT NULL,
    "hourly" DOUBLE PRECISION[],
    "uneven" DECIMAL NOT NULL
);

-- CreateIndex
CREATE INDEX "coverage_flagged_days_account_id_date_idx" ON "coverage_flagged_days"("account_id", "date");
