-- AlterTable
ALTER TABLE "account_syncs" ADD COLUMN     "inventory_at" TIMESTAMPTZ(3),
ADD COLUMN     "retries" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "retry_at" TIMESTAMPTZ(3),
ADD COLUMN     "source_memo" JSONB,
ADD COLUMN     "warnings" TEXT[] DEFAULT ARRAY[]::TEXT[];
