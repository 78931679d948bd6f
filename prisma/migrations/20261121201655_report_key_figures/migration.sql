-- AlterTable
ALTER TABLE "reports" ADD COLUMN     "key_figures" JSONB;
