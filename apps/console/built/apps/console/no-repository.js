import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { may } from './session.js';
import { t } from './words.js';
export const NoRepository = () => may('create_repository', null) ? (_jsxs(_Fragment, { children: [_jsx("p", { class: "empty", children: t('no_repository_yet') }), _jsx("a", { class: "button", href: "/console/new/repositories", children: t('first_repository') })] })) : (_jsx("p", { class: "empty", children: t('no_repository') }));
