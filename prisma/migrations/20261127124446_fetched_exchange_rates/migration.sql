-- CreateEnum
CREATE TYPE "RateSource" AS ENUM ('typed', 'ecb');

-- AlterTable
ALTER TABLE "exchange_rates" DROP CONSTRAINT "exchange_rates_pkey",
ADD COLUMN     "is_provisional" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "source" "RateSource" NOT NULL DEFAULT 'typed',
ADD CONSTRAINT "exchange_rates_pkey" PRIMARY KEY ("organization_id", "month", "from_currency", "to_currency", "source");

-- AlterTable
ALTER TABLE "organizations" ADD COLUMN     "automatic_exchange_rates" BOOLEAN;
