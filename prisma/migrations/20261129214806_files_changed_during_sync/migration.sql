-- AlterTable
ALTER TABLE "account_syncs" ADD COLUMN     "files_changed" BOOLEAN NOT NULL DEFAULT false;
