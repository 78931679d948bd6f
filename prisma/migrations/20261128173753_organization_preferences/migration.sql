-- AlterTable
ALTER TABLE "organizations" ADD COLUMN     "fiscal_year_start_month" SMALLINT NOT NULL DEFAULT 1,
ADD COLUMN     "owner_tag_key" TEXT;
