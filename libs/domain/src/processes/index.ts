export {
  type ProcessNeed,
  type ProcessNeeds,
  type ProcessOutput,
  type ProcessRoute,
  runRoute,
} from './process-route.js';
export { PROCESS_ROUTES, routesFor } from './routes.js';
export type { ChargeBound, ProcessStep } from './steps.js';
