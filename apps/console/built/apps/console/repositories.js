import { signal } from '@preact/signals';
import { objectsIn, textOf } from '../../libs/domain/json.js';
import { query } from './address.js';
import { may, service, user } from './session.js';
export const repositories = signal(undefined);
const place = 'muniment.repository';
let reader;
let reading;
export async function readRepositories() {
    const who = user.value?.username;
    if (reader !== who)
        repositories.value = undefined;
    if (repositories.value !== undefined)
        return;
    const mine = reading !== undefined && reading.who === who ? reading : { who, list: service.ask('/repositories') };
    reading = mine;
    try {
        const list = await mine.list;
        if (reading === mine)
            take(list, who);
    }
    finally {
        if (reading === mine)
            reading = undefined;
    }
}
function take(list, who) {
    repositories.value = objectsIn(list)
        .map((record) => ({
        uri: textOf(record, 'uri') ?? '',
        code: textOf(record, 'repo_code') ?? '',
        name: textOf(record, 'name') ?? '',
    }))
        .filter(({ uri }) => may('view_repository', uri));
    reader = who;
}
export function forgetRepositories() {
    repositories.value = undefined;
    reading = undefined;
}
export function chosenRepository(needsOne) {
    const known = repositories.value ?? [];
    const isKnown = (uri) => known.some((each) => each.uri === uri);
    const named = query.value.get('repo');
    if (isKnown(named))
        return named;
    if (!needsOne && may('view_all_records', null))
        return null;
    const last = localStorage.getItem(place);
    return isKnown(last) ? last : (known[0]?.uri ?? null);
}
export function rememberRepository(uri) {
    if (uri !== '')
        localStorage.setItem(place, uri);
}
export const repositoryName = (uri) => repositories.value?.find((each) => each.uri === uri)?.name ?? uri;
