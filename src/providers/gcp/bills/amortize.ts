import fs from 'node:fs';
import { once } from 'node:events';
import readline from 'node:readline';
import { finished } from 'node:stream/promises';
import { type Amount, amountText, parseAmount } from '../../../kit/money.ts';
import type { Charge } from './write-month.ts';

// Commitments of resources, and of spend as they were until 2025: Google bills a fee, and takes the price of what it covers off
// the usage. What the usage cost is the fee, so that it is spread over what was covered on its day, by value. Google does not
// say which commitment covers what: of the region's, else of all that are of the kind. A fee beyond the value of what was
// covered is not used: no commitment costs more than the usage it is made for.

interface Pool {
  /** Value of what was covered, and what is left of it for fees. */
  covered: Amount;
  left: Amount;
  /** Fees that were used. */
  fee: Amount;
  /** Value and fees that have been spread so far. */
  seen: Amount;
  given: Amount;
}

/** Covered usage of a month, kept on the disk until all fees are known. */
export class CoveredUsage {
  readonly #path: string;
  #file: fs.WriteStream | null = null;
  readonly #pools = new Map<string, Pool>();

  /** @param path of a file that is not there yet; `remove` takes it away */
  constructor(path: string) {
    this.#path = path;
  }

  /** Keeps a charge that a fee pays. */
  async add(charge: Charge): Promise<void> {
    this.#file ??= fs.createWriteStream(this.#path, { flags: 'wx', mode: 0o600 });
    // A failure shows where the file is finished; without a listener it would end the process.
    if (this.#file.listenerCount('error') === 0) this.#file.on('error', () => {});
    const value = valueOf(charge);
    for (const key of keysOf(charge)) {
      const pool = this.#pools.get(key) ?? { covered: 0n, left: 0n, fee: 0n, seen: 0n, given: 0n };
      this.#pools.set(key, { ...pool, covered: pool.covered + value, left: pool.left + value });
    }
    if (!this.#file.write(`${JSON.stringify(charge)}\n`)) await once(this.#file, 'drain');
  }

  /** Spreads a fee.
   *  @param charge the fee's
   *  @returns the part that covered nothing */
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

  /** The charges with what they cost of the fees, in the order they came. */
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

/** What a charge is covered from: the commitments of its region, then all of its kind. Those of spend are of no region. */
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

/** Of a pool's fees the part of the next charge; the parts add up to them. */
function shareOf(pool: Pool | undefined, value: Amount): Amount {
  if (!pool || pool.covered === 0n) return 0n;
  pool.seen += value;
  const until = pool.seen === pool.covered ? pool.fee : toTwelve((pool.fee * pool.seen) / pool.covered);
  const share = until - pool.given;
  pool.given = until;
  return share;
}

/** Stored costs have 12 decimals: cut there, the parts still add up to the whole. */
export function toTwelve(amount: Amount): Amount {
  return amount - (amount % 10n ** 12n);
}
