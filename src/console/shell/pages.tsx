import { Button, Center, Code, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconError404, IconLock } from '@tabler/icons-react';
import { Component, type ReactNode, Suspense, useLayoutEffect, useRef } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { Act } from '../parts/form/menu.tsx';
import { may, useMe } from '../api/me.tsx';
import { Empty, Page } from '../parts/page/page.tsx';
import { type PageRoute, routes } from '../routes.tsx';
import { words } from '../words/format.ts';

/** Renders the page for the current URL. */
export function Pages() {
  const [path] = useLocation();
  useFreshPage(path);
  return (
    <Broken at={path}>
      <Suspense fallback={<Loading />}>
        <Switch>
          {routes.map((route) => (
            <Route key={route[0]} path={route[0]}>
              <Permitted route={route} />
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

function Permitted({ route: [, Content, needs] }: { readonly route: PageRoute }) {
  const { role } = useMe();
  if (!needs || may(role, needs)) return <Content />;
  return (
    <Page title="Not available for your role">
      <Empty
        icon={IconLock}
        title={`${words(role)}s cannot use this page`}
        text="An Admin of your organization can."
        action={<Act label="Go to the overview" primary href="/" />}
      />
    </Page>
  );
}

function Missing() {
  return (
    <Page title="Page not found">
      <Empty
        icon={IconError404}
        title="No page exists at this address"
        action={<Act label="Go to the overview" primary href="/" />}
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

/** Scrolls a new page to the top and moves the focus to its content for screen readers; on Back, the browser restores the
 *  position. A layout effect, so that no timer runs while the focus is lost. */
function useFreshPage(path: string): void {
  const before = useRef(path);
  useLayoutEffect(() => {
    if (before.current === path) return;
    before.current = path;
    scrollTo(0, 0);
    document.getElementById('main')?.focus({ preventScroll: true });
  }, [path]);
}

interface Props {
  readonly children: ReactNode;
  /** Retries when this value changes, for example the path. */
  readonly at?: string;
}

interface State {
  readonly error: Error | null;
  readonly at: string | undefined;
}

/** Error boundary: shows a message with ways to continue instead of an empty window. */
export class Broken extends Component<Props, State> {
  override state: State = { error: null, at: this.props.at };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  static getDerivedStateFromProps(props: Props, state: State): Partial<State> | null {
    return props.at === state.at ? null : { error: null, at: props.at };
  }

  override render(): ReactNode {
    const { error } = this.state;
    return error ? <BrokenNote error={error} /> : this.props.children;
  }
}

/** A missing console file means that a newer console was deployed while this page was open. */
const isOutdated = (error: Error) => /dynamically imported module|module script|preload CSS/i.test(error.message);

function BrokenNote({ error }: { readonly error: Error }) {
  const outdated = isOutdated(error);
  const title = outdated ? 'This page could not be loaded' : 'This page failed';
  const text = outdated
    ? 'The server did not respond, or the console was updated after you opened it. Reload to continue.'
    : 'This is an error in the console. Your data is not affected. Reloading may help.';
  return (
    <Center component="section" mih="60vh" p="md">
      <Stack maw={520} gap="sm" role="alert">
        <Title order={1} size="h3">
          {title}
        </Title>
        <Text>{text}</Text>
        {!outdated && <Code block>{error.message}</Code>}
        <Group>
          <Act label="Reload" primary onClick={() => location.reload()} />
          <Button variant="default" component="a" href="/">
            Go to the overview
          </Button>
        </Group>
      </Stack>
    </Center>
  );
}
