import { Button, Skeleton, Stack } from '@mantine/core';
import { IconError404, IconLock } from '@tabler/icons-react';
import { Suspense, useEffect, useRef } from 'react';
import { Link, Route, Switch, useLocation } from 'wouter';
import { useMe } from '../api/me.tsx';
import { may } from '../api/permissions.ts';
import { Empty } from '../parts/empty.tsx';
import { Page } from '../parts/page.tsx';
import { routes, type PageRoute } from '../routes.tsx';
import { words } from '../words/names.ts';
import { Broken } from './broken.tsx';

/** The page of the address. */
export function Pages() {
  const [path] = useLocation();
  useFreshPage(path);
  return (
    <Broken at={path}>
      <Suspense fallback={<Loading />}>
        <Switch>
          {routes.map((route) => (
            <Route key={route.path} path={route.path}>
              <Permitted {...route} />
            </Route>
          ))}
          <Route>
            <Missing />
          </Route>
        </Switch>
      </Suspense>
    </Broken>
  );
}

function Permitted({ Page: Content, needs }: PageRoute) {
  const { role } = useMe();
  if (!needs || may(role, needs)) return <Content />;
  return (
    <Page title="Not for your role">
      <Empty icon={IconLock} title={`${words(role)}s cannot use this page`} text="An Admin of your organization can." />
    </Page>
  );
}

function Missing() {
  return (
    <Page title="Page not found">
      <Empty
        icon={IconError404}
        title="There is no page at this address"
        action={
          <Button component={Link} href="/">
            To the overview
          </Button>
        }
      />
    </Page>
  );
}

function Loading() {
  return (
    <Stack aria-busy="true" aria-label="Loading">
      <Skeleton height={34} width={220} />
      <Skeleton height={320} />
    </Stack>
  );
}

/** Another page begins at its top, and with its heading for those who listen; Back finds its place by the browser. */
function useFreshPage(path: string): void {
  const before = useRef(path);
  useEffect(() => {
    if (before.current === path) return;
    before.current = path;
    scrollTo(0, 0);
    document.getElementById('main')?.focus({ preventScroll: true });
  }, [path]);
}
