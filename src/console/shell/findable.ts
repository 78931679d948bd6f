import type { ComboboxItem, ComboboxItemGroup } from '@mantine/core';
import { useMemo } from 'react';
import { graphql } from '../api/graphql.ts';
import { useAnswer } from '../api/use-api.ts';
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

type Group = ComboboxItemGroup<ComboboxItem>;

/** Views, dashboards, budgets, alert rules, tag policies, virtual tags, newest anomalies and largest recommendations; each value
 *  is a URL. */
export function useRecords(): Group[] {
  const { data } = useAnswer(Records, {});
  return useMemo(() => {
    const { savedViews, dashboards, budgets, alertRules, tagPolicies, virtualTags, anomalies, recommendations } =
      data ?? {};
    return [
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
  }, [data]);
}

function named(
  group: string,
  rows: readonly { readonly id: string; readonly name: string }[] | undefined,
  path: string,
): Group {
  return { group, items: (rows ?? []).map(({ id, name }) => ({ value: `${path}/${id}`, label: name })) };
}

/** Resources whose name or ID contains a text of at least two characters; the server searches them, since there can be
 *  millions. */
export function useResources(search: string): Group[] {
  const isShort = search.length < 2;
  const { data } = useAnswer(Resources, { search }, { pause: isShort });
  return useMemo(() => {
    const found = isShort ? [] : (data?.inventory?.data ?? []);
    const items = found.map(({ id, name, nativeId, resourceType }) => {
      // The list only shows labels with the text that was typed, which can be in the ID.
      const isNamed = name.toLowerCase().includes(search.toLowerCase());
      const label = `${name}, ${resourceTypeName(resourceType)}${isNamed ? '' : ` (${nativeId})`}`;
      return { value: `/inventory/${id}`, label };
    });
    return [{ group: 'Resources', items }];
  }, [data, isShort, search]);
}
