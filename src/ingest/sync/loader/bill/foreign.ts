import type { Columns } from './layout.ts';

// Tables that are not read: bills of other formats, and tables that are not bills.

/** A format that is recognized and refused. */
interface Foreign {
  /** @param has whether there is a column of this name: lower case, letters and digits only */
  is(has: (name: string) => boolean, names: readonly string[]): boolean;
  /** What it is, and what to deliver instead. */
  readonly says: string;
}

const foreign: readonly Foreign[] = [
  {
    is: (has) => has('billingaccountid') && has('usagestarttime') && has('cost'),
    says: "is Google Cloud's standard billing export; connect its BigQuery dataset as a Google Cloud account, or export Google's FOCUS view",
  },
  {
    is: (has, names) =>
      has('servicedescription') && has('skudescription') && names.some((name) => /^(cost|subtotal)/.test(name)),
    says: "is a cost table of the Google Cloud console; connect the billing export's BigQuery dataset as a Google Cloud account, or export Google's FOCUS view",
  },
  {
    is: (has, names) => has('lineitemintervalusagestart') && names.some((name) => name.startsWith('cost')),
    says: 'is Oracle Cloud\'s own cost report; deliver its FOCUS reports instead (folder "FOCUS Reports" of the same bucket)',
  },
  {
    is: (_has, names) => names.some((name) => localCost.test(name)) && names.some((name) => localSubject.test(name)),
    says: 'has Azure columns in another language; set the language of the Azure portal to English, and export the cost details again',
  },
];

/** The cost, and the subscription, resource group or meter, as the Azure portal translates them. */
const localCost = /kosten|coût|costo|coste|custo|koszt|kostnad|omkostning|maliyet|стоимость|コスト|费用|成本|비용/;
const localSubject =
  /abonnement|ressourcengruppe|resourcegroep|groupederessources|suscripci|grupoderecursos|assinatura|sottoscrizion|gruppodirisorse|subskrypcj|subscription|resourcegroup|zähler|verbrauch|compteur|medidor|contatore|subskription|prenumeration|abonelik|подписк|サブスクリプション|订阅|구독/;

/** Returns what a bill of another format is, and what to deliver instead; null for any other table. */
export function foreignBill(columns: Columns): string | null {
  const names = keysOf(columns);
  const has = (name: string) => names.includes(name);
  return foreign.find(({ is }) => is(has, names))?.says ?? null;
}

const cost = /cost|amount|spend|charges?$|total|betrag|montant|importe|importo/;
const period = /period|date|month|day|time|start|datum|monat|fecha|jour|日付|日期/;

/** Returns whether a table may be a bill: it has a column of costs and one of times. Any other table has no charges to lose. */
export function couldBeBill(columns: Columns): boolean {
  const names = keysOf(columns);
  const isCost = (name: string) => cost.test(name) || localCost.test(name);
  return names.some(isCost) && names.some((name) => !isCost(name) && period.test(name));
}

function keysOf(columns: Columns): string[] {
  return [...columns.keys()].map((name) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''));
}
