//! The members of a shape, by name. Most shapes have a handful; a generated one may have a hundred thousand.

use std::collections::HashMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::facts::Member;

/// So many members are looked through as fast as an index is asked.
const FEW: usize = 16;

/// Members in the order of the text; a name may stand there more than once.
#[derive(Debug, Clone, Default)]
pub struct Members {
    all: Vec<Member>,
    /// The places of each name, once there are many.
    places: Option<HashMap<String, Vec<usize>>>,
}

impl Members {
    pub fn push(&mut self, member: Member) {
        if let Some(places) = &mut self.places {
            places.entry(member.name.clone()).or_default().push(self.all.len());
        }
        self.all.push(member);
        if self.places.is_none() && self.all.len() > FEW {
            let mut places: HashMap<String, Vec<usize>> = HashMap::new();
            for (place, member) in self.all.iter().enumerate() {
                places.entry(member.name.clone()).or_default().push(place);
            }
            self.places = Some(places);
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = &Member> {
        self.all.iter()
    }

    /// The members of a name, in their order.
    pub fn named(&self, name: &str) -> impl Iterator<Item = &Member> + Clone {
        self.places_of(name).filter_map(|place| self.all.get(place))
    }

    /// Changes all members of a name.
    pub fn each_named(&mut self, name: &str, mut change: impl FnMut(&mut Member)) {
        let places: Vec<usize> = self.places_of(name).collect();
        for place in places {
            self.all.get_mut(place).into_iter().for_each(&mut change);
        }
    }

    /// The first member of a name that is wanted.
    pub fn first_named(&mut self, name: &str, wanted: impl Fn(&Member) -> bool) -> Option<&mut Member> {
        let place = self.places_of(name).find(|place| self.all.get(*place).is_some_and(&wanted))?;
        self.all.get_mut(place)
    }

    fn places_of(&self, name: &str) -> impl Iterator<Item = usize> + Clone {
        let known = self.places.as_ref().map(|places| places.get(name).map(Vec::as_slice).unwrap_or_default());
        let all = if known.is_none() { self.all.as_slice() } else { &[] };
        let looked_at = all.iter().enumerate().filter(move |(_, member)| member.name == name).map(|(place, _)| place);
        looked_at.chain(known.unwrap_or_default().iter().copied())
    }
}

impl FromIterator<Member> for Members {
    fn from_iter<T: IntoIterator<Item = Member>>(all: T) -> Self {
        let mut members = Self::default();
        all.into_iter().for_each(|member| members.push(member));
        members
    }
}

impl PartialEq for Members {
    fn eq(&self, other: &Self) -> bool {
        self.all == other.all
    }
}

impl Eq for Members {}

impl Serialize for Members {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.all.serialize(to)
    }
}

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Vec::deserialize(from).map(Self::from_iter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::facts::MemberValue;

    #[test]
    fn few_and_many_members_are_found_alike_and_come_back_from_their_form() {
        for count in [FEW - 1, FEW, FEW + 1, 1_000] {
            let member = |at: usize| Member {
                name: format!("m{}", at % 9),
                element: None,
                value: MemberValue::Property(0, at as u32),
            };
            let mut members: Members = (0..count).map(member).collect();
            let values = |members: &Members, name: &str| -> Vec<u32> {
                let value = |member: &Member| match member.value {
                    MemberValue::Property(_, value) => value,
                    _ => u32::MAX,
                };
                members.named(name).map(value).collect()
            };
            let expected: Vec<u32> = (0..count as u32).filter(|at| at % 9 == 4).collect();
            assert_eq!(values(&members, "m4"), expected, "{count}");
            assert_eq!(values(&members, "m9"), Vec::<u32>::new());
            members.first_named("m4", |member| member.element.is_none()).unwrap().element = Some(7);
            members.first_named("m4", |member| member.element.is_none()).unwrap().element = Some(8);
            assert!(members.first_named("m4", |member| member.element == Some(9)).is_none());
            let elements: Vec<_> = members.named("m4").filter_map(|member| member.element).collect();
            assert_eq!(elements, [7, 8].get(..expected.len().min(2)).unwrap());
            members.each_named("m5", |member| member.element = Some(1));
            assert_eq!(members.iter().filter(|member| member.element == Some(1)).count(), (count + 3) / 9);
            let again: Members = postcard::from_bytes(&postcard::to_stdvec(&members).unwrap()).unwrap();
            assert_eq!((values(&again, "m4"), &again), (expected, &members));
        }
    }
}
