import type { AnomalyFacts, Driver } from './facts.ts';
import { nameOf } from './causes.ts';
import { formatDay, formatMoney } from '../../../kit/format.ts';
import { formatDays, formatNumber, formatRatio, formatShare } from './format.ts';

/** What a model is given to put into words. */
export interface Brief {
  /** The facts with their figures as they are to be written. */
  readonly data: Readonly<Record<string, unknown>>;
  /** ISO 4217: what its money is in. */
  readonly currency: string;
  /** Real names by the tokens that stand for them: names that people chose do not go out. */
  readonly aliases: ReadonlyMap<string, string>;
  /** Names of the provider's that are in the data as they are: prose may repeat them, with the digits in them. */
  readonly names: readonly string[];
}

/** Makes what goes to a model: the provider's own names and our figures. Names that people give (resources, accounts) are
 *  replaced by tokens, and so is everything that does not look like a name of the provider's: a bill is written by others,
 *  and what it says must not instruct the model. Tags are not among the facts. */
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
    const isPublic = each.dimension !== 'resource' && each.dimension !== 'sub_account';
    return {
      dimension: each.dimension,
      value: isPublic ? show(kind, each.value) : hide(kind, nameOf(each)),
      change: formatMoney(each.change, facts.currency),
      share_of_difference: formatShare(each.share),
    };
  };
  return { data: dataOf(facts, show, driver), currency: facts.currency, aliases, names };
}

type Kind = 'SERVICE' | 'REGION' | 'ACCOUNT' | 'RESOURCE' | 'USAGE' | 'PRICING';

const kinds: Readonly<Record<Driver['dimension'], Kind>> = {
  region: 'REGION',
  sub_account: 'ACCOUNT',
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

/** The same name has the same token. Tokens have letters alone, so that they hold no figures. */
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

/** Whether a text looks like a provider's name of a service, a region or a meter, and like no sentence. */
function looksLikeName(text: string): boolean {
  return (
    text.length > 0 &&
    text.length <= mostCharacters &&
    /^[A-Za-z0-9 ._:/()&+,-]+$/.test(text) &&
    text.split(' ').length <= mostWords &&
    !instructions.test(text)
  );
}
