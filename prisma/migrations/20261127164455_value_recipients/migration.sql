-- AlterTable
ALTER TABLE "report_schedules" ADD COLUMN     "value_recipients" JSONB NOT NULL DEFAULT '[]';
