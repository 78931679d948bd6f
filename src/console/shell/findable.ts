import { useDebouncedValue } from '@mantine/hooks';
import { useMemo } from 'react';
import type { TypedDocumentNode } from 'urql';
import { useAllPages, type Lists, type PageVariables } from '../api/all-pages.ts';
import { graphql } from '../api/graphql.ts';
import { useAnswer } from '../api/use-api.ts';
import { costsHref } from '../costs/address.ts';
import { linesHref } from '../invoices/address.ts';
import { anomalyTitle } from '../anomalies/title.ts';
import type { Choice } from '../parts/list/filters.tsx';
import { viewHref, viewQuery } from '../parts/views/address.ts';
import { tagKeyHref } from '../tags/tabs.tsx';
import { addMonths, monthStart, today } from '../words/days.ts';
import { day, month } from '../words/format.ts';
import { resourceTypeName } from '../words/resource-types.ts';

const Views = graphql(`
  query FindableViews($page: Int, $perPage: Int) {
    savedViews(page: $page, perPage: $perPage) {
      data {
        id
        name
        page
        query
      }
      pagination {
        totalPages
      }
    }
  }
`);

const Dashboards = graphql(`
  query FindableDashboards($page: Int, $perPage: Int) {
    dashboards(page: $page, perPage: $perPage) {
      data {
        id
        name
      }
      pagination {
        totalPages
      }
    }
  }
`);

const Budgets = graphql(`
  query FindableBudgets($page: Int, $perPage: Int) {
    budgets(page: $page, perPage: $perPage, sortBy: NAME_ASC) {
      data {
        id
        name
      }
      pagination {
        totalPages
      }
    }
  }
`);

const AlertRules = graphql(`
  query FindableAlertRules($page: Int, $perPage: Int) {
    alertRules(page: $page, perPage: $perPage, sortBy: NAME_ASC) {
      data {
        id
        name
      }
      pagination {
        totalPages
      }
    }
  }
`);

const Schedules = graphql(`
  query FindableSchedules($page: Int, $perPage: Int) {
    reportSchedules(page: $page, perPage: $perPage, sortBy: NAME_ASC) {
      data {
        id
        name
        type
        format
      }
      pagination {
        totalPages
      }
    }
  }
`);

const Policies = graphql(`
  query FindablePolicies($page: Int, $perPage: Int) {
    tagPolicies(page: $page, perPage: $perPage, sortBy: NAME_ASC) {
      data {
        id
        name
      }
      pagination {
        totalPages
      }
    }
  }
`);

const VirtualTags = graphql(`
  query FindableVirtualTags($page: Int, $perPage: Int) {
    virtualTags(page: $page, perPage: $perPage, sortBy: NAME_ASC) {
      data {
        id
        name
      }
      pagination {
        totalPages
      }
    }
  }
`);

const Metrics = graphql(`
  query FindableMetrics($page: Int, $perPage: Int) {
    unitMetrics(page: $page, perPage: $perPage, sortBy: NAME_ASC) {
      data {
        id
        name
      }
      pagination {
        totalPages
      }
    }
  }
`);

const Members = graphql(`
  query FindableMembers($page: Int, $perPage: Int) {
    members(page: $page, perPage: $perPage, sortBy: NAME_ASC) {
      data {
        user {
          name
          email
        }
      }
      pagination {
        totalPages
      }
    }
  }
`);

const TagKeys = graphql(`
  query FindableTagKeys($page: Int, $perPage: Int) {
    tags(page: $page, perPage: $perPage, sortBy: COST_LAST_30_DAYS_DESC) {
      data {
        key
      }
      pagination {
        totalPages
      }
    }
  }
`);

const Anomalies = graphql(`
  query FindableAnomalies($page: Int, $perPage: Int) {
    anomalies(page: $page, perPage: $perPage, sortBy: START_DATE_DESC) {
      data {
        id
        service
        kind
        startDate
      }
      pagination {
        totalPages
      }
    }
  }
`);

const Recommendations = graphql(`
  query FindableRecommendations($page: Int, $perPage: Int) {
    recommendations(
      page: $page
      perPage: $perPage
      sortBy: ESTIMATED_MONTHLY_SAVINGS_DESC
      status: [OPEN, IN_PROGRESS]
    ) {
      data {
        id
        title
        resource {
          name
        }
      }
      pagination {
        totalPages
      }
    }
  }
`);

const Invoices = graphql(`
  query FindableInvoices($page: Int, $perPage: Int) {
    invoices(page: $page, perPage: $perPage) {
      data {
        invoiceId
        accountId
        billingPeriod
        dataFrom
        dataTo
      }
      pagination {
        totalPages
      }
    }
  }
`);

const SubAccounts = graphql(`
  query FindableSubAccounts($startDate: Date!) {
    costsByAccount(startDate: $startDate) {
      groups {
        subAccounts {
          subAccountId
          subAccountName
        }
      }
    }
  }
`);

const Resources = graphql(`
  query FindableResources($search: String!) {
    inventory(search: $search, perPage: 20) {
      data {
        id
        name
        nativeId
        resourceType
      }
    }
  }
`);

/** Entries of the quick search. */
export interface Found {
  readonly group: string;
  /** Each value is a URL. */
  readonly items: readonly Choice[];
  /** Whether all entries for the typed text are here. */
  readonly isReady: boolean;
}

/** Minimum length of the text for which large lists are read or searched, in characters. */
const fewest = 2;

/** Kinds of records. */
const kinds = [
  kind('Views', Views, ({ id, name, page, query }) => [viewHref({ id, page, query: viewQuery(query) }), name]),
  kind('Dashboards', Dashboards, ({ id, name }) => [`/dashboards/${id}`, name]),
  kind('Budgets', Budgets, ({ id, name }) => [`/budgets/${id}`, name]),
  kind('Alert rules', AlertRules, ({ id, name }) => [`/alert-rules/${id}`, name]),
  kind('Report schedules', Schedules, (schedule) => [scheduleHref(schedule), schedule.name]),
  kind('Tag policies', Policies, ({ id, name }) => [`/tags/policies/${id}`, name]),
  kind('Virtual tags', VirtualTags, ({ id, name }) => [`/tags/virtual/${id}`, name]),
  kind('Unit metrics', Metrics, ({ id, name }) => [`/unit-costs/${id}`, name]),
  kind('Members', Members, ({ user: { name, email } }) => [
    `/settings/members?search=${encodeURIComponent(email)}`,
    `${name} (${email})`,
  ]),
  kind('Tag keys', TagKeys, ({ key }) => [tagKeyHref(key), key], { isLarge: true }),
  kind(
    'Anomalies',
    Anomalies,
    (anomaly) => [`/anomalies/${anomaly.id}`, `${anomalyTitle(anomaly)}, ${day(anomaly.startDate)}`],
    { isLarge: true },
  ),
  kind(
    'Recommendations',
    Recommendations,
    ({ id, title, resource }) => [`/recommendations/${id}`, resource?.name ? `${title} (${resource.name})` : title],
    { isLarge: true },
  ),
  kind(
    'Invoices',
    Invoices,
    (invoice) =>
      invoice.invoiceId === null ? null : [linesHref(invoice), `${invoice.invoiceId}, ${month(invoice.billingPeriod)}`],
    { isLarge: true },
  ),
];

/** Defines a kind of records, whose pages are searched as they arrive.
 *  @param entryOf the URL and the label of a record; null for one without a name */
function kind<Row>(
  group: string,
  query: TypedDocumentNode<Lists<Row>, PageVariables>,
  entryOf: (row: Row) => readonly [href: string, label: string] | null,
  { isLarge = false } = {},
): (text: string) => Found {
  return function useKind(text) {
    const pause = isLarge && text.length < fewest;
    const { rows, refusal, isWhole } = useAllPages(query, {}, { isLasting: true, pause });
    return useMemo(() => {
      const entries = (rows ?? []).map(entryOf).filter((entry) => entry !== null);
      // Invoices with the same number and month have the same URL.
      const items = [...new Map(entries)].map(([value, label]) => ({ value, label }));
      return { group, items, isReady: pause || isWhole || refusal !== null };
    }, [rows, refusal, isWhole, pause]);
  };
}

/** URL of a schedule in its filtered list: schedules have no pages of their own. */
function scheduleHref({ id, type, format }: { readonly id: string; readonly type: string; readonly format: string }) {
  return `/reports/schedules?type=${type}&format=${format}&rows=100#${id}`;
}

/** Everything with a name, and invoice numbers. */
export function useRecords(text: string): Found[] {
  return kinds.map((useKind) => useKind(text));
}

/** Sub-accounts with costs in the last 13 months, once a text of at least two characters is typed. */
export function useSubAccounts(text: string): Found {
  const pause = text.length < fewest;
  const startDate = addMonths(monthStart(today()), -12);
  const { data, isLoading } = useAnswer(SubAccounts, { startDate }, { isLasting: true, pause });
  return useMemo(() => {
    const all = (data?.costsByAccount?.groups ?? []).flatMap(({ subAccounts }) => subAccounts);
    const items = new Map(
      all.map(({ subAccountId: id, subAccountName: name }) => [
        costsHref({ sub_account: id }),
        name === id ? id : `${name} (${id})`,
      ]),
    );
    return {
      group: 'Costs of a sub-account',
      items: [...items].map(([value, label]) => ({ value, label })),
      isReady: !isLoading,
    };
  }, [data, isLoading]);
}

/** Resources whose name or ID contains a text of at least two characters; the server searches them, since there can be
 *  millions.
 *  @param text the typed text; debounced */
export function useResources(text: string): Found[] {
  const [search] = useDebouncedValue(text, 200);
  const isShort = search.length < fewest;
  const { data, isStale } = useAnswer(Resources, { search }, { pause: isShort });
  const isReady = search === text && !isStale;
  return useMemo(() => {
    const found = isShort ? [] : (data?.inventory?.data ?? []);
    const items = found.map(({ id, name, nativeId, resourceType }) => {
      // The list only shows labels with the text that was typed, which can be in the ID.
      const isNamed = name.toLowerCase().includes(search.toLowerCase());
      const label = `${name}, ${resourceTypeName(resourceType)}${isNamed ? '' : ` (${nativeId})`}`;
      return { value: `/inventory/${id}`, label };
    });
    return [{ group: 'Resources', items, isReady }];
  }, [data, isShort, isReady, search]);
}
