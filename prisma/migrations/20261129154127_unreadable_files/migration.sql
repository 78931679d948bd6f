-- AlterTable
ALTER TABLE "account_syncs" ADD COLUMN     "unreadable_files" TEXT[] DEFAULT ARRAY[]::TEXT[];
