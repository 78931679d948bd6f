import type { Amount } from '../../../../kit/money.ts';
import type { Context, Detector } from '../../detector.ts';
import { amountOf, per } from '../../figures.ts';
import { sh, type Script } from '../../script.ts';
import { hasMeter, onDemandOf, quantityOf, shortId, type Subject, type Usage } from '../../subject.ts';
import { repriced } from '../repriced.ts';
import { placeOption } from './full-name.ts';
import { isMachine } from './machine.ts';

/** Percent saved where we pay for no E2 machine there to compare with: what the Cloud Intelligence Dashboards count for a move
 *  from a previous generation. N1's sustained use discount leaves little more at list prices. */
const usualSaving = 5;

/** N1 is Google's first generation; E2 costs less and takes neither graphics cards nor local disks. Catalogue 77. */
export const n1Upgrade: Detector = {
  type: 'gcp_n1_upgrade',
  summary: 'First-generation virtual machine',
  provider: 'gcp',
  about: 'resource',
  detect(subject, context) {
    const usage = onDemandOf(subject, /^N1 Predefined Instance (Core|Ram)\b/i);
    if (!isMachine(subject) || usage.length === 0) return null;
    const target = targetOf(subject);
    if (target === null || hasMeter(subject, /\bGPU\b|SSD backed Local Storage/i)) return null;
    const { savings, method } = repriced(usage, context, (each) => priceOf(each, subject, context), usualSaving);
    if (savings.length === 0) return null;
    return {
      title: `Move ${subject.name} from N1 to E2`,
      description:
        'This machine is of the first generation. An E2 machine has as many cores and a little more memory, and ' +
        'costs less. Changing the type restarts the machine. If it uses its cores fully all the time, measure ' +
        'first.',
      savings,
      confidence: 'medium',
      method,
      evidence: {
        machine_type: subject.metadata.instanceType ?? null,
        target: target || 'e2',
        percent: method === 'factor' ? usualSaving : null,
      },
      scripts: () => scriptsFor(subject, target),
    };
  },
};

/** E2 type for an N1 one; empty where nobody knows the type, null where there is none of that size. */
function targetOf({ metadata }: Subject): string | null {
  if (metadata.instanceType === undefined) return '';
  const [, family, cores] = /^n1-(standard|highmem|highcpu)-(\d+)$/.exec(metadata.instanceType) ?? [];
  if (family === undefined || cores === undefined) return null;
  const largest = family === 'highmem' ? 16 : 32;
  return Number(cores) < 2 || Number(cores) > largest ? null : `e2-${family}-${cores}`;
}

/** What E2 costs for a unit of N1: `E2 Instance Core running in EMEA` for `N1 Predefined Instance Core running in EMEA`. */
function priceOf(usage: Usage, subject: Subject, { prices }: Context): Amount | null {
  const price = prices.priceOf(subject, usage.meter.replace(/^N1 Predefined/i, 'E2'));
  if (price === null || !/Ram/i.test(usage.meter)) return price;
  const { more, than } = memoryOf(subject);
  return (price * more) / than;
}

/** E2's memory a core against N1's of the same kind: 4 GiB instead of 3.75, 8 of 6.5 and 1 of 0.9. Where nobody knows the
 *  kind, what the bill counts of both tells it. */
function memoryOf(subject: Subject): { more: bigint; than: bigint } {
  const [, named] = /^n1-(standard|highmem|highcpu)-/.exec(subject.metadata.instanceType ?? '') ?? [];
  const perCore = per(quantityOf(subject, /^N1 .*\bRam\b/i), quantityOf(subject, /^N1 .*\bCore\b/i));
  const kind =
    named ?? (perCore > amountOf('5') ? 'highmem' : perCore > 0n && perCore < amountOf('2') ? 'highcpu' : 'standard');
  if (kind === 'highmem') return { more: 80n, than: 65n };
  return kind === 'highcpu' ? { more: 10n, than: 9n } : { more: 16n, than: 15n };
}

function scriptsFor(subject: Subject, target: string): Script[] {
  const place = placeOption(subject.nativeId);
  if (target === '' || place === null) return [];
  const name = shortId(subject.nativeId);
  return [
    {
      kind: 'gcloud',
      title: 'Stop the machine, change its type and start it again',
      script: [
        `${sh`gcloud compute instances stop ${name} --project=${subject.subAccount}`} ${place} &&`,
        `${sh`gcloud compute instances set-machine-type ${name} --project=${subject.subAccount} --machine-type=${target}`} ${place} &&`,
        `${sh`gcloud compute instances start ${name} --project=${subject.subAccount}`} ${place}`,
      ].join('\n'),
      reversible: true,
    },
  ];
}
