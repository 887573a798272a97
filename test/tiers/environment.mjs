import process from 'node:process';

/** The settings of Vite, which Vitest puts into the environment: `BASE_URL` is one of our own. */
const SETTINGS_OF_VITE = ['BASE_URL', 'MODE', 'DEV', 'PROD', 'SSR'];

// Programs that tests start inherit the environment.
for (const name of SETTINGS_OF_VITE) Reflect.deleteProperty(process.env, name);
