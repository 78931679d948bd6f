-- AlterTable
ALTER TABLE "memberships" ADD COLUMN     "default_dashboard" TEXT;

-- AlterTable
ALTER TABLE "organizations" ADD COLUMN     "default_dashboard" TEXT;

-- CreateTable
CREATE TABLE "annotations" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "account_id" UUID,
    "start_date" DATE NOT NULL,
    "end_date" DATE NOT NULL,
    "text" TEXT NOT NULL,
    "created_by_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "annotations_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "annotations_organization_id_start_date_idx" ON "annotations"("organization_id", "start_date");

-- AddForeignKey
ALTER TABLE "annotations" ADD CONSTRAINT "annotations_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "annotations" ADD CONSTRAINT "annotations_organization_id_account_id_fkey" FOREIGN KEY ("organization_id", "account_id") REFERENCES "accounts"("organization_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
