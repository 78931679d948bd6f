import type { AnomalyFacts, Driver } from './facts.ts';
import { nameOf } from './causes.ts';
import { formatDay, formatMoney } from '../../../kit/text/format.ts';
import { formatDays, formatNumber, formatRatio, formatShare } from './format.ts';

/** Input of a model that writes an explanation. */
export interface Brief {
  /** The facts, with figures formatted as they must be written. */
  readonly data: Readonly<Record<string, unknown>>;
  /** ISO 4217: currency of the money in it. */
  readonly currency: string;
  /** Real names by placeholder token: user-chosen names are not sent to the model. */
  readonly aliases: ReadonlyMap<string, string>;
  /** Provider names that are in the data as they are: prose can repeat them, including their digits. */
  readonly names: readonly string[];
}

/** Builds the model's input from provider names and our figures. User-chosen names (resources, accounts, values of virtual
 *  tags) are replaced by tokens, and so is everything that does not look like a provider name: bills contain third-party
 *  text, which must not instruct the model. Other tags are not among the facts. */
export function briefOf(facts: AnomalyFacts): Brief {
  const aliases = new Map<string, string>();
  const names: string[] = [];
  const hide = (kind: Kind, name: string) => aliasOf(aliases, kind, name);
  const show = (kind: Kind, name: string) => {
    if (!looksLikeName(name)) return hide(kind, name);
    names.push(name);
    return name;
  };
  const driver = (each: Driver) => {
    const kind = kinds[each.dimension];
    const isPublic = !['resource', 'sub_account', 'virtual_tag'].includes(each.dimension);
    return {
      dimension: each.dimension,
      value: isPublic ? show(kind, each.value) : hide(kind, nameOf(each)),
      change: formatMoney(each.change, facts.currency),
      share_of_difference: formatShare(each.share),
    };
  };
  return { data: dataOf(facts, show, driver), currency: facts.currency, aliases, names };
}

type Kind = 'SERVICE' | 'REGION' | 'ACCOUNT' | 'TAG' | 'RESOURCE' | 'USAGE' | 'PRICING';

const kinds: Readonly<Record<Driver['dimension'], Kind>> = {
  region: 'REGION',
  sub_account: 'ACCOUNT',
  virtual_tag: 'TAG',
  resource: 'RESOURCE',
  usage_type: 'USAGE',
  pricing: 'PRICING',
};

const kindWords: Readonly<Record<AnomalyFacts['kind'], string>> = {
  spike: 'too high for some days',
  step: 'at a higher level for a week or more',
  leak: 'risen slowly over weeks',
  new_service: 'a service that cost nothing before',
};

function dataOf(
  facts: AnomalyFacts,
  show: (kind: Kind, name: string) => string,
  driver: (each: Driver) => Record<string, string>,
): Record<string, unknown> {
  const { currency, startDate, endDate, impactPercent, newResources, usage, peak } = facts;
  return {
    provider: show('SERVICE', facts.provider),
    service: show('SERVICE', facts.service),
    pattern: kindWords[facts.kind],
    days: formatDays(startDate, endDate),
    actual_cost: formatMoney(facts.actual, currency),
    expected_cost: formatMoney(facts.expected, currency),
    difference: formatMoney(facts.impact, currency),
    difference_percent: impactPercent === null ? null : formatShare(impactPercent),
    highest_day: { day: formatDay(peak.date), cost: formatMoney(peak.cost, currency) },
    drivers: facts.drivers.map(driver),
    resources_that_cost_nothing_before: {
      count: formatNumber(newResources.count),
      share_of_difference: formatShare(newResources.share),
    },
    usage:
      usage === null
        ? null
        : {
            usage_type: show('USAGE', usage.usageType),
            amount_compared_with_usual: usage.quantityRatio === null ? null : formatRatio(usage.quantityRatio),
            unit_price_compared_with_usual: usage.priceRatio === null ? null : formatRatio(usage.priceRatio),
          },
  };
}

/** Returns the token of a name, the same for each occurrence. Tokens consist of letters only, so that they contain no
 *  figures. */
function aliasOf(aliases: Map<string, string>, kind: Kind, name: string): string {
  for (const [token, known] of aliases) if (known === name && token.startsWith(kind)) return token;
  const taken = [...aliases.keys()].filter((token) => token.startsWith(kind)).length;
  const token = `${kind}_${String.fromCodePoint(65 + taken)}`;
  aliases.set(token, name);
  return token;
}

const mostCharacters = 60;
const mostWords = 6;
const instructions =
  /ignor|disregard|forget|overrid|instruct|prompt|system|assistant|respond|reply|answer|output|pretend|write|print|say |tell|must|please|always|never|http|www|javascript|select |script/i;

/** Returns whether a text looks like a provider's name of a service, region or meter, and not like a sentence. */
function looksLikeName(text: string): boolean {
  return (
    text.length > 0 &&
    text.length <= mostCharacters &&
    /^[A-Za-z0-9 ._:/()&+,-]+$/.test(text) &&
    text.split(' ').length <= mostWords &&
    !instructions.test(text)
  );
}
