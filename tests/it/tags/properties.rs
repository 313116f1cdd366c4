//! What holds for every note, also for ones that nobody would write.

use std::collections::HashSet;

use proptest::prelude::*;
use tapps_tags::Profile;
use tapps_tags::edit::rename_tags_in_text;
use tapps_tags::note::NoteTagSpans;
use tapps_tags::rename::Renames;

use super::vault::replacements;

/// A piece of a note: text that holds no tag, or a tag that a reader sees.
#[derive(Debug, Clone)]
enum Piece {
    Inert(&'static str),
    Tag(&'static str),
}

const TAGS: [&str; 5] = ["a", "b", "c", "area/d", "über"];

/// Each is a block of its own, so that pieces do not change each other's meaning.
const INERT: [&str; 12] = [
    "plain words a b c area/d",
    "`#a` and ``#b``",
    "```\n#a\n#b\n```",
    "~~~\n#c\n~~~",
    "[x](#a) [[N#b]] https://x.org/#c <https://y/#a>",
    "<!-- #a -->",
    "<div>\n#b\n</div>",
    "%% #a %%",
    "$$\n#a\n$$",
    "\\#a b\\#c x#b ##c",
    "#a1 #a-b #area #area/d/e #überall",
    "    #a indented",
];

fn pieces() -> impl Strategy<Value = Vec<Piece>> {
    let piece = prop_oneof![
        prop::sample::select(INERT.to_vec()).prop_map(Piece::Inert),
        prop::sample::select(TAGS.to_vec()).prop_map(Piece::Tag),
    ];
    prop::collection::vec(piece, 0..12)
}

#[derive(Debug, Clone, Copy)]
enum Form {
    Flow,
    FlowQuoted,
    Block,
    Text,
}

fn front_matter(form: Form, tags: &[&str]) -> String {
    let quoted: Vec<String> = tags.iter().map(|tag| format!("\"{tag}\"")).collect();
    let value = match form {
        Form::Flow => format!(" [{}]\n", tags.join(", ")),
        Form::FlowQuoted => format!(" [{}]\n", quoted.join(", ")),
        Form::Block => tags.iter().fold("\n".to_owned(), |text, tag| text + "  - " + tag + "\n"),
        Form::Text => format!(" {}\n", tags.join(", ")),
    };
    format!("---\ntitle: a # b\ntags:{value}x: [a, b]\n---\n")
}

fn body(pieces: &[Piece], line_end: &str, name: impl Fn(&'static str) -> &'static str) -> String {
    let block = |piece: &Piece| match piece {
        Piece::Inert(text) => (*text).to_owned(),
        Piece::Tag(tag) => format!("see #{} here", name(tag)),
    };
    // A paragraph in between, so that indented text is code and lists do not join.
    pieces.iter().map(block).map(|text| text + "\n\nword\n\n").collect::<String>().replace('\n', line_end)
}

/// A list after a rename: what was renamed goes where the new tag is already.
fn renamed_list(tags: &[&'static str], name: impl Fn(&'static str) -> &'static str) -> Vec<&'static str> {
    let mut taken: HashSet<&str> = tags.iter().copied().filter(|tag| name(tag) == *tag).collect();
    let kept = tags.iter().copied().filter(|tag| name(tag) == *tag || taken.insert(name(tag)));
    kept.map(&name).collect()
}

/// Permutations, merges and plain renames of the five tags.
fn renames() -> impl Strategy<Value = Vec<(&'static str, &'static str)>> {
    let targets = prop::sample::select(vec!["a", "b", "c", "area/d", "über", "new", "z/z"]);
    let pairs =
        prop::collection::vec((prop::sample::subsequence(TAGS.to_vec(), 1..=5), prop::collection::vec(targets, 5)), 1);
    pairs.prop_map(|mut pairs| pairs.remove(0)).prop_map(|(old, new)| old.into_iter().zip(new).collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    /// The note is put together once with the old names and once with the new ones: nothing else may differ.
    #[test]
    fn only_the_tags_that_were_put_in_change(
        pieces in pieces(),
        pairs in renames(),
        form in prop::sample::select(vec![Form::Flow, Form::FlowQuoted, Form::Block, Form::Text]),
        listed in prop::sample::subsequence(TAGS.to_vec(), 1..=5).prop_shuffle(),
        line_end in prop::sample::select(vec!["\n", "\r\n"]),
        mark in prop::sample::select(vec!["", "\u{feff}"]),
    ) {
        let name = |tag: &'static str| pairs.iter().find(|(old, _)| *old == tag).map_or(tag, |(_, new)| *new);
        let dress = |list: &[&str], body: String| {
            format!("{mark}{}{body}", front_matter(form, list).replace('\n', line_end))
        };
        let before = dress(&listed, body(&pieces, line_end, |tag| tag));
        let expected = dress(&renamed_list(&listed, name), body(&pieces, line_end, name));
        let renames = Renames::new(Profile::Obsidian, false, &replacements(&pairs)).unwrap();
        let after = rename_tags_in_text(&before, &renames).unwrap().map_or(before.clone(), |edited| edited.text);
        prop_assert_eq!(after, expected);
    }

    #[test]
    fn a_swap_twice_is_no_change_and_a_rename_twice_is_one(pieces in pieces()) {
        let text = front_matter(Form::Flow, &["a", "b", "c"]) + &body(&pieces, "\n", |tag| tag);
        let swap = Renames::new(Profile::Obsidian, false, &replacements(&[("a", "b"), ("b", "a")])).unwrap();
        let swapped = rename_tags_in_text(&text, &swap).unwrap().unwrap().text;
        prop_assert_ne!(&swapped, &text);
        prop_assert_eq!(rename_tags_in_text(&swapped, &swap).unwrap().unwrap().text, text.clone());
        let plain = Renames::new(Profile::Obsidian, false, &replacements(&[("a", "z")])).unwrap();
        let once = rename_tags_in_text(&text, &plain).unwrap().unwrap().text;
        prop_assert_eq!(rename_tags_in_text(&once, &plain).unwrap(), None);
    }
}

/// Anything at all, made of what has a meaning somewhere.
fn noise() -> impl Strategy<Value = String> {
    let signs = prop::sample::select(vec![
        "#zqold", "#zqold", "zqold", "tags:", "Tag: ", " ", "  ", "\n", "\r\n", "\n\n", "- ", "[", "]", "(", ")", "{",
        "}", ",", "`", "```\n", "~~~\n", "---\n", "--- ", "|", ">", "%%", "$", "$$", "<", "</a>", "<!--", "-->", "*",
        "**", "_", "~~", "\\", "'", "\"", "&", "*x", "&x ", "!", "://", "www.", "#", "##", "# ", "/", "é", "日",
        "\u{200b}", "\u{feff}", "\t", ":", ": ", "? ", "\u{0}", "1",
    ]);
    let free = prop::collection::vec(signs, 0..40).prop_map(|signs| signs.concat());
    (
        prop::sample::select(vec!["", "---\ntags: ", "---\ntags: [zqold, ", "---\ntags:\n- zqold\n", "\u{feff}---\n"]),
        free,
    )
        .prop_map(|(start, rest)| start.to_owned() + &rest)
}

/// The text with one sign for either name. Where `before` spells a tag with escapes, those and the quotes are left out.
fn nameless(text: &str, before: &str, profile: Profile) -> String {
    let note = NoteTagSpans::from_text(before, profile);
    let mut words = note.lists.iter().flat_map(|list| &list.scalars).flat_map(|scalar| &scalar.words);
    let escaped = words.any(|word| word.span.is_none());
    let text = text.replace("zqold", "Z").replace("zqnew", "Z");
    if escaped { text.replace(['"', '\\'], "") } else { text }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Nothing panics, and apart from the names the text stays what it was, byte for byte.
    #[test]
    fn noise_keeps_every_byte_but_the_names(text in noise()) {
        for profile in [Profile::Obsidian, Profile::TagManager] {
            let renames = Renames::new(profile, true, &replacements(&[("zqold", "zqnew")])).unwrap();
            if let Ok(Some(edited)) = rename_tags_in_text(&text, &renames) {
                if edited.merged == 0 {
                    prop_assert_eq!(nameless(&edited.text, &text, profile), nameless(&text, &text, profile));
                }
                let again = NoteTagSpans::from_text(&edited.text, profile);
                prop_assert!(!again.tags(&edited.text).any(|tag| tag == "zqold"));
            }
        }
    }

    #[test]
    fn any_text_can_be_read_and_every_span_is_its_tag(text in any::<String>()) {
        for profile in [Profile::Obsidian, Profile::TagManager] {
            let note = NoteTagSpans::from_text(&text, profile);
            for span in &note.hashtags {
                prop_assert_eq!(&text[span.start - 1..span.start], "#");
            }
            for word in note.lists.iter().flat_map(|list| &list.scalars).flat_map(|scalar| &scalar.words) {
                if let Some(span) = &word.span {
                    prop_assert_eq!(&text[span.clone()], word.tag.as_str());
                }
            }
        }
    }
}
