import type { Amount } from '../../../../kit/money.ts';
import type { Context, Detector } from '../../detector.ts';
import type { Market } from '../../prices.ts';
import { sh } from '../../script.ts';
import type { Usage } from '../../subject.ts';
import { repriced } from '../repriced.ts';
import { type CurrentSize, currentSizeOf } from './current-size.ts';
import { sizeHoursOf } from './vm-hours.ts';

/** Percent saved where we pay for no current size to compare with: D2ads v5 for 0.103 instead of D2 v2 for 0.114 USD an hour
 *  (Azure's price list, Linux, US East; the other sizes are in proportion, E sizes save more), rounded down. */
const listSaving = 9;
/** Sizes of that series whose price may be known, the most usual first. A core costs the same in each. */
const sizes = [4, 2, 8, 16, 32, 48, 64];

/** Older sizes cost more for less, and Microsoft is retiring them. Catalogue 66. */
export const vmPreviousGen: Detector = {
  type: 'azure_vm_previous_gen',
  summary: 'Virtual machine of a previous generation',
  provider: 'azure',
  about: 'resource',
  detect(subject, context) {
    const usage = sizeHoursOf(subject).find((each) => currentSizeOf(each.meter) !== null && !isWindows(each));
    const target = usage && currentSizeOf(usage.meter);
    if (!usage || !target) return null;
    const { savings, method } = repriced([usage], context, () => priceOf(target, subject, context), listSaving);
    if (savings.length === 0) return null;
    // All older sizes have a temporary disk, and Azure resizes none of those to a size without one, such as D4s v5.
    const size = `Standard_${target.letter}${target.cores}ads_v5`;
    return {
      title: `Move ${subject.name} from ${target.replaces} to ${target.letter}${target.cores}ads v5`,
      description:
        'Its size is of a previous generation. A current size with an AMD processor has as many cores and more ' +
        'memory, and costs less. Moving restarts the machine and clears its temporary disk. A new machine without ' +
        'a temporary disk costs even less.',
      savings,
      confidence: 'medium',
      method,
      evidence: { size: target.replaces, target: size, percent: method === 'factor' ? listSaving : null },
      scripts: () => [
        {
          kind: 'azure_cli',
          title: 'Stop the machine, change its size and start it again',
          script: [
            sh`az vm deallocate --ids=${subject.nativeId} &&`,
            sh`az vm resize --ids=${subject.nativeId} --size=${size} &&`,
            sh`az vm start --ids=${subject.nativeId}`,
          ].join('\n'),
          reversible: true,
        },
      ],
    };
  },
};

/** Bills meter Windows machines under the names of Linux ones; the heirs of theirs cost more. */
function isWindows({ meter, description }: Usage): boolean {
  return /\bwindows\b/i.test(`${meter} ${description}`);
}

function priceOf({ letter, cores }: CurrentSize, market: Market, { prices }: Context): Amount | null {
  for (const size of sizes) {
    const price = prices.priceOf(market, `${letter}${size}ads v5`);
    if (price !== null) return (price * BigInt(cores)) / BigInt(size);
  }
  return null;
}
