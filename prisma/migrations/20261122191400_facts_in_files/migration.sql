-- Facts move from cost_facts into Parquet files (src/engine). This migration makes room for the pointers; the server then
-- converts every billing month (src/ingest/upgrade), and the next migration drops the tables.

ALTER TABLE "billing_periods" ADD COLUMN "facts" JSONB NOT NULL DEFAULT '[]';

-- Coverage days are made anew from the facts.
DELETE FROM "coverage_days";
DELETE FROM "coverage_flagged_days";
DELETE FROM "coverage_periods";
ALTER TABLE "coverage_days" DROP COLUMN "commitment_id";
ALTER TABLE "coverage_days" ADD COLUMN "commitment" TEXT NOT NULL;
ALTER TABLE "coverage_flagged_days" DROP COLUMN "commitment_id";
ALTER TABLE "coverage_flagged_days" ADD COLUMN "commitment" TEXT NOT NULL;

ALTER TABLE "tag_keys" ADD COLUMN "spellings" TEXT[];
UPDATE "tag_keys" SET "spellings" = ARRAY["key"];

CREATE TABLE "retired_fact_files" (
    "key" TEXT NOT NULL,
    "retired_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "retired_fact_files_pkey" PRIMARY KEY ("key")
);
CREATE INDEX "retired_fact_files_retired_at_idx" ON "retired_fact_files"("retired_at");
