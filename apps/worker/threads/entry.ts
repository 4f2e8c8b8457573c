// What each thread loads.
import { serveTasks } from './task.ts';
import { tasks } from './tasks.ts';

// Piscina takes the default export of its file: the one place where the project has one.
export default serveTasks(tasks);
