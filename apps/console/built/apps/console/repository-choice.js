import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { go, withQuery } from './address.js';
import { rememberRepository, repositories } from './repositories.js';
import { t } from './words.js';
export function RepositoryChoice(props) {
    const choose = (uri) => {
        rememberRepository(uri);
        go(withQuery({ repo: uri }), true);
    };
    if (!props.all && (repositories.value ?? []).length === 0)
        return _jsx(_Fragment, {});
    return (_jsxs("label", { class: "choice", children: [_jsx("span", { children: t('repository') }), _jsxs("select", { value: props.chosen ?? '', onChange: (event) => choose(event.currentTarget.value), children: [props.all && _jsx("option", { value: "", children: t('all_repositories') }), (repositories.value ?? []).map(({ uri, name }) => (_jsx("option", { value: uri, children: name }, uri)))] })] }));
}
