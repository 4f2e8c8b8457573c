// Waypoints: the windows of 200 children in which clients read a level of a tree (contract, trees 1.2 to 1.6).

/** Children in a waypoint; fixed on the wire. */
export const waypointSize = 200;

/** How many waypoints a list of this length has. */
export const waypointsOf = (childCount: number): number => Math.ceil(childCount / waypointSize);

/** The waypoint that holds a 0-based position. */
export const waypointAt = (position: number): number => Math.floor(position / waypointSize);
