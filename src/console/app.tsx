import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { lazy, Suspense, useMemo } from 'react';
import { Provider } from 'urql';
import { openClient } from './api/client.ts';
import { start, useSession } from './api/session.ts';
import { RefusalPage } from './parts/page/page.tsx';
import { Starting } from './shell/logo.tsx';
import { Broken } from './shell/pages.tsx';
import { Shell } from './shell/shell.tsx';
import { Visit } from './sign-in/visit.tsx';
import { theme, variables } from './theme.ts';

const SignedOut = lazy(async () => ({ default: (await import('./sign-in/signed-out.tsx')).SignedOut }));

/** Root of the console; the session state determines what it shows. */
export function App() {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={variables} defaultColorScheme="auto">
      <Broken>
        <Suspense fallback={<Starting />}>
          <Session />
        </Suspense>
      </Broken>
      <Notifications position="bottom-right" limit={3} />
    </MantineProvider>
  );
}

function Session() {
  const session = useSession();
  switch (session.at) {
    case 'starting':
      return <Starting />;
    case 'away':
      return <RefusalPage refusal={session.refusal} again={() => void start()} />;
    case 'out':
      return <SignedOut because={session.because} />;
    case 'in':
      return (
        <Visit>
          <SignedIn key={session.who} />
        </Visit>
      );
    default:
      return session satisfies never;
  }
}

/** Gives each organization its own client, so that no cached answer survives a switch. */
function SignedIn() {
  const client = useMemo(openClient, []);
  return (
    <Provider value={client}>
      <Shell />
    </Provider>
  );
}
