import { useDebouncedValue } from '@mantine/hooks';
import { useMemo } from 'react';
import { graphql } from '../api/graphql.ts';
import { useAnswer } from '../api/use-api.ts';
import type { Choice } from '../parts/list/filters.tsx';
import { viewHref, viewQuery } from '../parts/views/address.ts';
import { day } from '../words/format.ts';
import { resourceTypeName } from '../words/resource-types.ts';

/** Named records that are few enough to search in the browser. */
const Records = graphql(`
  query FindableRecords {
    savedViews(perPage: 100) {
      data {
        id
        name
        page
        query
      }
    }
    dashboards(perPage: 100) {
      data {
        id
        name
      }
    }
    budgets(perPage: 100, sortBy: NAME_ASC) {
      data {
        id
        name
      }
    }
    alertRules(perPage: 100, sortBy: NAME_ASC) {
      data {
        id
        name
      }
    }
    tagPolicies(perPage: 100, sortBy: NAME_ASC) {
      data {
        id
        name
      }
    }
    virtualTags(perPage: 100, sortBy: NAME_ASC) {
      data {
        id
        name
      }
    }
    anomalies(perPage: 100, sortBy: START_DATE_DESC) {
      data {
        id
        service
        startDate
      }
    }
    recommendations(perPage: 100, sortBy: ESTIMATED_MONTHLY_SAVINGS_DESC, status: [OPEN, IN_PROGRESS]) {
      data {
        id
        title
        resource {
          name
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

/** Views, dashboards, budgets, alert rules, tag policies, virtual tags, newest anomalies and largest recommendations. */
export function useRecords(): Found[] {
  const { data, isLoading } = useAnswer(Records, {});
  return useMemo(() => {
    const { savedViews, dashboards, budgets, alertRules, tagPolicies, virtualTags, anomalies, recommendations } =
      data ?? {};
    const groups = [
      {
        group: 'Views',
        items: (savedViews?.data ?? []).map(({ id, name, page, query }) => ({
          value: viewHref({ id, page, query: viewQuery(query) }),
          label: name,
        })),
      },
      named('Dashboards', dashboards?.data, '/dashboards'),
      named('Budgets', budgets?.data, '/budgets'),
      named('Alert rules', alertRules?.data, '/alert-rules'),
      named('Tag policies', tagPolicies?.data, '/tags/policies'),
      named('Virtual tags', virtualTags?.data, '/tags/virtual'),
      {
        group: 'Anomalies',
        items: (anomalies?.data ?? []).map(({ id, service, startDate }) => ({
          value: `/anomalies/${id}`,
          label: `${service}, ${day(startDate)}`,
        })),
      },
      {
        group: 'Recommendations',
        items: (recommendations?.data ?? []).map(({ id, title, resource }) => ({
          value: `/recommendations/${id}`,
          label: resource?.name ? `${title} (${resource.name})` : title,
        })),
      },
    ];
    return groups.map((group) => ({ ...group, isReady: !isLoading }));
  }, [data, isLoading]);
}

function named(
  group: string,
  rows: readonly { readonly id: string; readonly name: string }[] | undefined,
  path: string,
): Omit<Found, 'isReady'> {
  return { group, items: (rows ?? []).map(({ id, name }) => ({ value: `${path}/${id}`, label: name })) };
}

/** Resources whose name or ID contains a text of at least two characters; the server searches them, since there can be
 *  millions.
 *  @param text the typed text, for which it waits until no more is typed */
export function useResources(text: string): Found[] {
  const [search] = useDebouncedValue(text, 200);
  const isShort = search.length < 2;
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
