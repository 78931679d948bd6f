import { Anchor, Breadcrumbs, Group, Stack, Text, Title } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import classes from './tabs.module.css';

/** What the frame of a page shows around its content. */
export interface PageProps {
  readonly title: string;
  /** One line below the title. */
  readonly lead?: ReactNode;
  /** Buttons on the right. */
  readonly actions?: ReactNode;
  /** Where this page lies below, such as `[['Budgets', '/budgets']]`. */
  readonly crumbs?: readonly (readonly [label: string, href: string])[];
  readonly children: ReactNode;
}

/** A page: its heading, its acts, its content; also the title of the window. */
export function Page({ title, lead, actions, crumbs = [], children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Costkeep`;
  }, [title]);
  return (
    <Stack gap="md">
      <Group justify="space-between" align="flex-end" gap="sm">
        <Stack gap={2} miw={0} style={{ flex: '1 1 340px' }}>
          {crumbs.length > 0 && <Crumbs crumbs={crumbs} />}
          <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }} tabIndex={-1} id="page-title">
            {title}
          </Title>
          {lead && (
            <Text component="div" c="dimmed" size="sm">
              {lead}
            </Text>
          )}
        </Stack>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}

function Crumbs({ crumbs }: { readonly crumbs: NonNullable<PageProps['crumbs']> }) {
  return (
    <Breadcrumbs component="nav" aria-label="Breadcrumb" separatorMargin={6}>
      {crumbs.map(([label, href]) => (
        <Anchor key={href} component={Link} href={href} size="sm">
          {label}
        </Anchor>
      ))}
    </Breadcrumbs>
  );
}

interface PageTabsProps {
  /** What the tabs are parts of, such as `Coverage`. */
  readonly label: string;
  readonly tabs: readonly (readonly [label: string, href: string])[];
}

/** Pages that belong together, side by side. They are links: each has its own address. */
export function PageTabs({ label, tabs }: PageTabsProps) {
  const [path] = useLocation();
  return (
    <nav aria-label={label} className={classes.tabs}>
      {tabs.map(([name, href]) => (
        <Link
          key={href}
          href={href}
          className={classes.tab}
          aria-current={path === href.split('?', 1)[0] ? 'page' : undefined}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
