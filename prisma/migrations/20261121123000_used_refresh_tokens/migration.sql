-- CreateTable
CREATE TABLE "used_refresh_tokens" (
    "token_hash" BYTEA NOT NULL,
    "session_id" UUID NOT NULL,
    "used_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "used_refresh_tokens_pkey" PRIMARY KEY ("token_hash")
);

-- CreateIndex
CREATE INDEX "used_refresh_tokens_session_id_idx" ON "used_refresh_tokens"("session_id");

-- AddForeignKey
ALTER TABLE "used_refresh_tokens" ADD CONSTRAINT "used_refresh_tokens_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "sessions"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- DropIndex
DROP INDEX "sessions_previous_hash_key";

-- AlterTable
ALTER TABLE "sessions" DROP COLUMN "previous_hash",
DROP COLUMN "rotated_at";
