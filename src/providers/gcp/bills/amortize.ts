import fs from 'node:fs';
import { once } from 'node:events';
import readline from 'node:readline';
import { finished } from 'node:stream/promises';
import { type Amount, amountText, parseAmount } from '../../../kit/money.ts';
import type { Charge } from './columns.ts';

// Resource-based commitments, and spend-based ones until 2025: Google bills a fee, and deducts the price of covered usage. The
// usage's effective cost is the fee, so it is distributed over the usage covered on the same day, by value. Google does not report
// which commitment covers what, so a fee goes to the region's covered usage, otherwise to all of its kind. The part of a fee
// above the value of the covered usage is unused: covered usage never costs more than its price.

interface Pool {
  /** Value of the covered usage, and the rest of it not yet paid by fees. */
  covered: Amount;
  left: Amount;
  /** Used part of the fees. */
  fee: Amount;
  /** Value and fees distributed so far. */
  seen: Amount;
  given: Amount;
}

/** A month's covered usage, kept on disk until all fees are known. */
export class CoveredUsage {
  readonly #path: string;
  #file: fs.WriteStream | null = null;
  readonly #pools = new Map<string, Pool>();

  /** @param path of a file that does not exist yet; delete it with `remove` */
  constructor(path: string) {
    this.#path = path;
  }

  /** Adds a charge paid for by a fee. */
  async add(charge: Charge): Promise<void> {
    this.#file ??= fs.createWriteStream(this.#path, { flags: 'wx', mode: 0o600 });
    // An error surfaces when the file is finished; without a listener it would end the process.
    if (this.#file.listenerCount('error') === 0) this.#file.on('error', () => {});
    const value = valueOf(charge);
    for (const key of keysOf(charge)) {
      const pool = this.#pools.get(key) ?? { covered: 0n, left: 0n, fee: 0n, seen: 0n, given: 0n };
      this.#pools.set(key, { ...pool, covered: pool.covered + value, left: pool.left + value });
    }
    if (!this.#file.write(`${JSON.stringify(charge)}\n`)) await once(this.#file, 'drain');
  }

  /** Distributes a fee.
   *  @param charge of the fee
   *  @returns the unused part */
  pay(charge: Charge, fee: Amount): Amount {
    const pool = keysOf(charge)
      .map((key) => this.#pools.get(key))
      .find((each) => each !== undefined && each.covered > 0n);
    if (!pool) return fee;
    const used = fee < pool.left ? fee : pool.left;
    pool.left -= used;
    pool.fee += used;
    return fee - used;
  }

  /** Returns the charges with their share of the fees, in insertion order. */
  async *charges(): AsyncGenerator<Charge> {
    if (this.#file === null) return;
    this.#file.end();
    await finished(this.#file);
    const lines = readline.createInterface({ input: fs.createReadStream(this.#path), crlfDelay: Infinity });
    for await (const line of lines) {
      const charge: Charge = JSON.parse(line);
      const shares = keysOf(charge).map((key) => shareOf(this.#pools.get(key), valueOf(charge)));
      const effective = shares.reduce((sum, share) => sum + share, parseAmount(charge.EffectiveCost));
      yield { ...charge, EffectiveCost: amountText(effective) };
    }
  }

  async remove(): Promise<void> {
    this.#file?.destroy();
    await fs.promises.rm(this.#path, { force: true });
  }
}

/** Returns the pools that cover a charge: its region's commitments, then all of its kind. Spend-based ones have no region. */
function keysOf(charge: Charge): string[] {
  const kind = [
    charge.ChargePeriodStart,
    charge.BillingAccountId,
    charge.BillingCurrency,
    charge.CommitmentDiscountCategory,
  ].join('|');
  return charge.CommitmentDiscountCategory === 'Usage' ? [`${kind}|${charge.RegionId}`, kind] : [kind];
}

function valueOf(charge: Charge): Amount {
  const value = parseAmount(charge.ContractedCost);
  return value > 0n ? value : 0n;
}

/** Returns a charge's share of a pool's fees; the shares add up to the fees exactly. */
function shareOf(pool: Pool | undefined, value: Amount): Amount {
  if (!pool || pool.covered === 0n) return 0n;
  pool.seen += value;
  const until = pool.seen === pool.covered ? pool.fee : toTwelve((pool.fee * pool.seen) / pool.covered);
  const share = until - pool.given;
  pool.given = until;
  return share;
}

/** Truncates to the 12 decimal places of stored costs, so that the parts still add up to the whole. */
export function toTwelve(amount: Amount): Amount {
  return amount - (amount % 10n ** 12n);
}
