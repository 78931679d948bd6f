/** Type of a commitment: to an amount of a resource (FOCUS CommitmentDiscountCategory `Usage`) or of money (`Spend`). */
export type CommitmentKind = 'reserved' | 'savings_plan';

/** Payment option of a commitment. AWS has the first three, Azure the last two, Google only `monthly`. */
export type CommitmentPayment = 'no_upfront' | 'partial_upfront' | 'all_upfront' | 'monthly' | 'upfront';

/** A purchase option of a program. */
export interface Offer {
  readonly termMonths: 12 | 36;
  readonly payment: CommitmentPayment;
  /** Discount off the on-demand price, between 0 and 1. */
  readonly discount: number;
}

/** A type of commitment and the usage it covers. */
export interface Program {
  readonly id: string;
  /** The provider's slug on bills. */
  readonly provider: string;
  readonly kind: CommitmentKind;
  /** The provider's product name. */
  readonly product: string;
  /** Matches FOCUS ServiceName, or its substitute. Like the two patterns below, a case-insensitive regular expression with
   *  the same meaning in JavaScript and DuckDB. */
  readonly service: string;
  /** Matches FOCUS SkuMeter of covered usage. A capture group, if any, is the pool: usage that can share one commitment. */
  readonly meter: string;
  /** Captures a further constraint, a database engine, from the service or description of a charge. */
  readonly variant?: string;
  /** Matches usage that is excluded from the above. */
  readonly except?: string;
  /** Whether it is bought for one region. */
  readonly isRegional: boolean;
  /** Whether it covers everything metered by the hour in bills without meters (FOCUS before 1.2). */
  readonly byTheHour: boolean;
  readonly offers: readonly Offer[];
}

/** Percentage off the on-demand price, by payment option. */
type Discounts = Partial<Record<CommitmentPayment, number>>;

/** Builds the offers of a program from its discounts in percent. */
export function offersOf(oneYear: Discounts, threeYears: Discounts): Offer[] {
  const of = (termMonths: 12 | 36, discounts: Discounts) =>
    payments.flatMap((payment) => {
      const percent = discounts[payment];
      return percent === undefined ? [] : [{ termMonths, payment, discount: percent / 100 }];
    });
  return [...of(12, oneYear), ...of(36, threeYears)];
}

/** Payment options, from nothing upfront to everything upfront. */
export const payments = ['no_upfront', 'monthly', 'partial_upfront', 'all_upfront', 'upfront'] as const;

// Commitment programs, the usage each covers, and typical discounts. Only usage that a commitment can cover is eligible: no
// storage, data transfer, requests, addresses, licenses, support or marketplace products.
//
// Discounts are typical published ones for current generations without licenses, rounded down. They apply unless an account's
// own covered usage shows others. Sources, read for 2026:
// - aws.amazon.com/savingsplans/compute-pricing, aws.amazon.com/savingsplans/ml-pricing
// - aws.amazon.com/rds/reserved-instances (without upfront payment: one year only),
//   aws.amazon.com/elasticache/reserved-cache-nodes, docs.aws.amazon.com/opensearch-service/latest/developerguide/ri.html,
//   aws.amazon.com/dynamodb/pricing/provisioned
// - azure.microsoft.com/pricing/offers/savings-plan-compute, learn.microsoft.com/azure/cost-management-billing/reservations:
//   monthly payment costs the same
// - cloud.google.com/docs/cuds, and the page on committed use discounts of each service: paid monthly

/** Database reservations apply to one engine. AWS names it only in the description, Azure in the service. */
const engine = '(aurora (?:postgresql|mysql)|postgresql|mysql|mariadb|oracle|sql server|db2|redis|valkey|memcached)';

const aws = (no: number | null, partial: number, all: number): Discounts => ({
  ...(no === null ? {} : { no_upfront: no }),
  partial_upfront: partial,
  all_upfront: all,
});
const azure = (percent: number): Discounts => ({ monthly: percent, upfront: percent });
const gcp = (percent: number): Discounts => ({ monthly: percent });

type Entry = Omit<Program, 'provider' | 'isRegional' | 'byTheHour'> & Partial<Program>;

const savingsPlan = (entry: Omit<Entry, 'kind'>): Entry => ({ ...entry, kind: 'savings_plan' });
const reserved = (entry: Omit<Entry, 'kind'>): Entry => ({
  isRegional: true,
  byTheHour: true,
  ...entry,
  kind: 'reserved',
});
const at = (provider: string, entries: readonly Entry[]): Program[] =>
  entries.map((entry) => ({ isRegional: false, byTheHour: false, ...entry, provider }));

const awsPrograms = at('aws', [
  savingsPlan({
    id: 'aws-compute-ec2',
    product: 'Compute Savings Plans',
    service: '^(amazon ec2|amazonec2|amazon elastic compute cloud)',
    meter: '(?:^|-)(?:BoxUsage|DedicatedUsage|HostBoxUsage)(?::|$)',
    byTheHour: true,
    offers: offersOf(aws(27, 31, 32), aws(46, 50, 51)),
  }),
  savingsPlan({
    id: 'aws-compute-fargate',
    product: 'Compute Savings Plans',
    service: '^(amazon elastic (container|kubernetes) service|amazonecs|amazoneks|aws fargate)',
    meter: 'Fargate.*(?:vCPU|GB-Hours|Memory)',
    except: 'Ephemeral|Spot',
    offers: offersOf(aws(20, 21, 22), aws(45, 46, 47)),
  }),
  savingsPlan({
    id: 'aws-compute-lambda',
    product: 'Compute Savings Plans',
    service: '^aws ?lambda',
    meter: 'Lambda-(?:Provisioned-)?(?:GB-Second|Concurrency)',
    offers: offersOf(aws(12, 12, 12), aws(17, 17, 17)),
  }),
  savingsPlan({
    id: 'aws-sagemaker',
    product: 'SageMaker AI Savings Plans',
    service: '^amazon ?sagemaker',
    meter: '(?:^|[:-])ml\\.[a-z0-9-]+\\.',
    except: 'Volume|Storage',
    offers: offersOf(aws(20, 24, 26), aws(40, 45, 47)),
  }),
  reserved({
    id: 'aws-rds',
    product: 'Reserved DB instances',
    service: '^(amazon relational database service|amazon ?rds|amazon aurora)',
    meter: '(?:Instance|Multi-AZ|Multi-AZCluster)Usage(?:IOOptimized)?:(db\\.[a-z0-9-]+)',
    variant: engine,
    offers: offersOf(aws(29, 33, 34), aws(null, 50, 53)),
  }),
  reserved({
    id: 'aws-elasticache',
    product: 'Reserved cache nodes',
    service: '^amazon ?elasticache',
    meter: 'NodeUsage:(cache\\.[a-z0-9-]+)',
    variant: engine,
    offers: offersOf(aws(31, 33, 35), aws(48, 51, 53)),
  }),
  reserved({
    id: 'aws-memorydb',
    product: 'MemoryDB reserved nodes',
    service: '^amazon ?memorydb',
    meter: 'NodeUsage:(db\\.[a-z0-9-]+)',
    offers: offersOf(aws(31, 33, 35), aws(48, 51, 53)),
  }),
  reserved({
    id: 'aws-opensearch',
    product: 'OpenSearch Service Reserved Instances',
    service: '^(amazon ?opensearch|amazon ?elasticsearch|amazones$)',
    meter: 'ESInstance:([a-z0-9-]+)',
    offers: offersOf(aws(31, 33, 35), aws(48, 50, 52)),
  }),
  reserved({
    id: 'aws-redshift',
    product: 'Redshift reserved nodes',
    service: '^amazon ?redshift',
    meter: '(?:^|-)Node:([a-z0-9-]+)',
    offers: offersOf(aws(30, 33, 34), aws(null, 55, 58)),
  }),
  reserved({
    id: 'aws-dynamodb',
    product: 'DynamoDB reserved capacity',
    service: '^amazon ?dynamodb',
    meter: '(Read|Write)CapacityUnit-Hrs$',
    byTheHour: false,
    offers: offersOf({ partial_upfront: 53 }, { partial_upfront: 76 }),
  }),
]);

const azurePrograms = at('azure', [
  savingsPlan({
    id: 'azure-compute-vm',
    product: 'Azure savings plan for compute',
    service: '^(virtual machines|azure virtual machines|container instances|azure dedicated host)',
    // Matches any meter, because machines are named by their many sizes. Azure bills a machine's data transfer under its
    // service too, as meter `Intra Continent Data Transfer Out`; nodes are Defender's unit.
    meter: '.',
    except:
      'spot|low priority|license|licence|disk|bandwidth|transfer|ingress|egress|data|storage|backup|snapshot|ip address|node',
    byTheHour: true,
    offers: offersOf(azure(30), azure(50)),
  }),
  savingsPlan({
    id: 'azure-compute-apps',
    product: 'Azure savings plan for compute',
    service: '^(azure app service|app service|functions|azure functions|azure container apps)',
    meter: '^(?:P[0-9]+m? ?v[34]|I[0-9]+m?i? ?v2|.*Premium (?:vCPU|Memory)|.*Dedicated (?:vCPU|Memory))',
    offers: offersOf(azure(17), azure(40)),
  }),
  reserved({
    id: 'azure-sql',
    product: 'Azure SQL reserved capacity',
    service: '^(azure )?sql (database|managed instance|db)',
    meter: 'vCore',
    except: 'serverless|storage|backup|license|licence|free',
    offers: offersOf(azure(21), azure(33)),
  }),
  reserved({
    id: 'azure-open-source-databases',
    product: 'Azure Database reserved capacity',
    service: '^azure database for (postgresql|mysql|mariadb)',
    meter: 'vCore|^[DE][0-9]+[a-z]*s',
    except: 'burstable|storage|backup|^B[0-9]',
    variant: engine,
    offers: offersOf(azure(40), azure(60)),
  }),
  reserved({
    id: 'azure-cosmos-db',
    product: 'Azure Cosmos DB reserved capacity',
    service: '^azure cosmos ?db',
    meter: 'RUs?(?:/s)?$',
    except: 'serverless|storage',
    byTheHour: false,
    offers: offersOf(azure(15), azure(25)),
  }),
  reserved({
    id: 'azure-redis',
    product: 'Azure Cache for Redis reserved capacity',
    service: '^(azure (cache for|managed) redis|redis cache)',
    meter: '^((?:P|E|F|B|M|X)[0-9]+) Cache',
    except: 'basic|standard',
    byTheHour: false,
    offers: offersOf(azure(35), azure(55)),
  }),
]);

const gcpPrograms = at('gcp', [
  savingsPlan({
    id: 'gcp-compute-flexible',
    product: 'Compute flexible committed use discounts',
    service: '^(compute engine|google compute engine|kubernetes engine|google kubernetes engine)',
    meter: '(?:Instance|Custom|Autopilot).*(?:Core|Ram|CPU|Memory|mCPU|Pod)',
    except: 'spot|preemptible|sole tenancy premium|licens|extended .*ram premium|gpu|micro|small|management',
    byTheHour: true,
    offers: offersOf(gcp(28), gcp(46)),
  }),
  savingsPlan({
    id: 'gcp-cloud-run',
    product: 'Compute flexible committed use discounts',
    service: '^cloud run',
    meter: '(?:CPU|Memory)',
    except: 'requests|network|idle min',
    offers: offersOf(gcp(17), gcp(17)),
  }),
  savingsPlan({
    id: 'gcp-cloud-sql',
    product: 'Cloud SQL committed use discounts',
    service: '^cloud sql',
    meter: '(?:vCPU|RAM)',
    except: 'storage|backup|network|licens|micro|small',
    isRegional: true,
    byTheHour: true,
    offers: offersOf(gcp(25), gcp(52)),
  }),
  savingsPlan({
    id: 'gcp-alloydb',
    product: 'AlloyDB committed use discounts',
    service: '^alloydb',
    meter: '(?:vCPU|RAM|Memory)',
    except: 'storage|backup|network',
    isRegional: true,
    offers: offersOf(gcp(25), gcp(52)),
  }),
  savingsPlan({
    id: 'gcp-spanner',
    product: 'Spanner committed use discounts',
    service: '^(cloud )?spanner',
    meter: '(?:Node|Processing Unit|Compute)',
    except: 'storage|backup|network',
    offers: offersOf(gcp(20), gcp(40)),
  }),
  savingsPlan({
    id: 'gcp-bigtable',
    product: 'Bigtable committed use discounts',
    service: '^(cloud )?bigtable',
    meter: 'node',
    except: 'storage|backup|network',
    offers: offersOf(gcp(20), gcp(40)),
  }),
  savingsPlan({
    id: 'gcp-memorystore',
    product: 'Memorystore committed use discounts',
    service: '^(cloud )?memorystore',
    meter: '(?:Capacity|Node|Instance)',
    except: 'backup|network|snapshot',
    isRegional: true,
    offers: offersOf(gcp(20), gcp(40)),
  }),
]);

/** All programs; the first match is the one that could cover a charge. */
export const programs: readonly Program[] = [...awsPrograms, ...azurePrograms, ...gcpPrograms];

const byId = new Map(programs.map((program) => [program.id, program]));

/** Returns the program with the id; null for covered usage of an unknown program. */
export function programOf(id: string): Program | null {
  return byId.get(id) ?? null;
}
