-- DropForeignKey
ALTER TABLE "notification_preferences" DROP CONSTRAINT "notification_preferences_user_id_fkey";

-- DropIndex
DROP INDEX "deliveries_status_created_at_idx";

-- AlterTable
ALTER TABLE "deliveries" ADD COLUMN     "next_attempt_at" TIMESTAMPTZ(3) NOT NULL;

-- AlterTable
ALTER TABLE "notification_preferences" ADD COLUMN     "webhook_paused_until" TIMESTAMPTZ(3),
ADD COLUMN     "webhook_problem" TEXT;

-- CreateIndex
CREATE INDEX "deliveries_created_at_idx" ON "deliveries"("created_at");

-- AddForeignKey
ALTER TABLE "notification_preferences" ADD CONSTRAINT "notification_preferences_organization_id_user_id_fkey" FOREIGN KEY ("organization_id", "user_id") REFERENCES "memberships"("organization_id", "user_id") ON DELETE CASCADE ON UPDATE NO ACTION;
