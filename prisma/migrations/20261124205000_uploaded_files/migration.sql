-- Bill files that members upload to focus accounts.
CREATE TABLE "uploaded_files" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "size_bytes" BIGINT NOT NULL,
    "sha256" TEXT NOT NULL,
    "storage_key" TEXT NOT NULL,
    "created_by_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "uploaded_files_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "uploaded_files_account_id_name_key" ON "uploaded_files"("account_id", "name");
CREATE UNIQUE INDEX "uploaded_files_account_id_sha256_key" ON "uploaded_files"("account_id", "sha256");
CREATE INDEX "uploaded_files_organization_id_idx" ON "uploaded_files"("organization_id");

ALTER TABLE "uploaded_files" ADD CONSTRAINT "uploaded_files_organization_id_account_id_fkey" FOREIGN KEY ("organization_id", "account_id") REFERENCES "accounts"("organization_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
