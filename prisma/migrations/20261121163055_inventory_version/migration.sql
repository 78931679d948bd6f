-- AlterTable
ALTER TABLE "accounts" ADD COLUMN     "inventory_version" INTEGER NOT NULL DEFAULT 0;
