-- AlterTable
ALTER TABLE "accounts" ADD COLUMN     "sample_of" TEXT;
