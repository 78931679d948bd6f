-- AlterTable
ALTER TABLE "anomalies" ADD COLUMN     "assignee_id" UUID,
ADD COLUMN     "note" TEXT;

-- AlterTable
ALTER TABLE "recommendations" ADD COLUMN     "assignee_id" UUID,
ADD COLUMN     "note" TEXT;

-- CreateIndex
CREATE INDEX "recommendations_organization_id_assignee_id_idx" ON "recommendations"("organization_id", "assignee_id");
