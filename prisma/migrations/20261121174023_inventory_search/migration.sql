-- Part of PostgreSQL's own modules; trusted, so that whoever may create tables may create it.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- AlterTable
ALTER TABLE "inventory_resources" ADD COLUMN "search_text" TEXT;
UPDATE "inventory_resources" SET "search_text" = lower("name" || chr(31) || "native_id");
ALTER TABLE "inventory_resources" ALTER COLUMN "search_text" SET NOT NULL;

-- CreateIndex
CREATE INDEX "inventory_resources_search_text_idx" ON "inventory_resources" USING GIN ("search_text" gin_trgm_ops);
