-- AlterTable
ALTER TABLE "inventory_listings" ADD COLUMN     "list" TEXT NOT NULL DEFAULT '';
