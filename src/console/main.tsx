import '@fontsource-variable/inter/wght.css';
import './fonts/inter.css';
import './mantine.css';
import './style.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { start } from './api/session.ts';
import { App } from './app.tsx';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
void start();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
