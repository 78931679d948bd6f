-- AlterTable
ALTER TABLE "alert_rules" ADD COLUMN     "judged_from" DATE;
