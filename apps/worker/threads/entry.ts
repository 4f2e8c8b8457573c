// What each thread loads.
import { serveTasks } from './task.ts';
import { tasks } from './tasks.ts';

// Piscina takes the default export of its file.
export default serveTasks(tasks);
