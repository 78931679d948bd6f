-- AlterTable
ALTER TABLE "billing_periods" ADD COLUMN     "content_digest" TEXT NOT NULL DEFAULT '';
