-- AlterTable
ALTER TABLE "organizations" ADD COLUMN     "fiscal_year_start_month" SMALLINT NOT NULL DEFAULT 1;
